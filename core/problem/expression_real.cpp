// SPDX-License-Identifier: GPL-3.0-or-later
// Real expressions. muParser computes; the scan before it keeps the language to what the header states (no
// assignment, no strings, no other functions) and gives better messages than a parser that knows no axes.
#include <muParser.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/diagnostic.h"
#include "problem/expression.h"
#include "problem/expression_text.h"

namespace ridge::problem {
namespace {

double root(double x) {
  return std::sqrt(x);
}
double natural(double x) {
  return std::log(x);
}
double binary(double x) {
  return std::log2(x);
}
double decimal(double x) {
  return std::log10(x);
}
double exponential(double x) {
  return std::exp(x);
}
double power(double x, double y) {
  return std::pow(x, y);
}
double magnitude(double x) {
  return std::fabs(x);
}
double down(double x) {
  return std::floor(x);
}
double up(double x) {
  return std::ceil(x);
}
double least(const double* x, int count) {
  return *std::min_element(x, x + count);
}
double most(const double* x, int count) {
  return *std::max_element(x, x + count);
}

const std::vector<std::string>& function_names() {
  static const std::vector<std::string> names = {"sqrt", "log", "log2", "log10", "exp", "pow",
                                                 "abs",  "min", "max",  "floor", "ceil"};
  return names;
}

/// Length of the number at the start of `text`; `value` gets it. 0: none.
std::size_t number_at(std::string_view text, double& value, bool& in_range) {
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  in_range = status != std::errc::result_out_of_range;
  return status == std::errc::invalid_argument ? 0 : static_cast<std::size_t>(end - text.data());
}

/// The names used, each once; an error when a character, function, number or the nesting is not allowed.
Result<std::vector<std::string>> scan(std::string_view text) {
  if (text.size() > kExpressionLength) return too_long(text.size());
  std::vector<std::string> names;
  int depth = 0;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (is_name_start(c)) {
      std::size_t end = i;
      while (end < text.size() && is_name_part(text[end])) ++end;
      const std::string name(text.substr(i, end - i));
      std::size_t after = end;
      while (after < text.size() && is_blank(text[after])) ++after;
      const bool called = after < text.size() && text[after] == '(';
      if (called &&
          std::find(function_names().begin(), function_names().end(), name) == function_names().end()) {
        const std::string near = nearest(name, function_names());
        return expression_error(text, say("there is no function {}", name),
                                near.empty()
                                    ? say("functions: {}", joined(function_names()))
                                    : say("did you mean {}? functions: {}", near, joined(function_names())));
      }
      if (!called && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
      i = end;
    } else if (is_digit(c) || c == '.') {
      double value = 0;
      bool in_range = true;
      const std::size_t length = number_at(text.substr(i), value, in_range);
      const std::string number(text.substr(i, std::max<std::size_t>(length, 1)));
      if (!in_range) return expression_error(text, say("{} is beyond a double", number), {});
      if (length == 0 ||
          (i + length < text.size() && (is_name_part(text[i + length]) || text[i + length] == '.')))
        return expression_error(text, say("\"{}\" is followed by letters", number),
                                say("write 2*rows, not 2rows"));
      i += length;
    } else {
      const bool comparison = (c == '=' || c == '!') && i + 1 < text.size() && text[i + 1] == '=';
      if (!is_blank(c) && !comparison &&
          std::string_view("+-*/^()<>,?:&|").find(c) == std::string_view::npos) {
        return expression_error(text, say("the character at column {} does not belong here", i + 1),
                                say("operators are + - * / ^ and comparisons"));
      }
      if (c == '*' && i + 1 < text.size() && text[i + 1] == '*')
        return expression_error(text, say("** is not known here"), say("write ^ for a power"));
      if (c == '/' && i + 1 < text.size() && text[i + 1] == '/')
        return expression_error(text, say("// is not known here"), say("write floor(a / b)"));
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth > kExpressionDepth) {
        return expression_error(text, say("it is nested more than {} deep", kExpressionDepth),
                                say("split it into axes of kind expr"));
      }
      i += comparison ? 2 : 1;
    }
  }
  return names;
}

mu::Parser make_parser(const std::string& text) {
  mu::Parser parser;
  parser.ClearFun();
  parser.ClearConst();
  parser.DefineFun("sqrt", root);
  parser.DefineFun("log", natural);
  parser.DefineFun("log2", binary);
  parser.DefineFun("log10", decimal);
  parser.DefineFun("exp", exponential);
  parser.DefineFun("pow", power);
  parser.DefineFun("abs", magnitude);
  parser.DefineFun("floor", down);
  parser.DefineFun("ceil", up);
  parser.DefineFun("min", least);
  parser.DefineFun("max", most);
  parser.SetExpr(text);
  return parser;
}

/// muParser's own evaluation, its exceptions turned into an error.
Result<double> compute(std::string_view expression, const Names& names) {
  try {
    // A line break would end muParser's text; to it, as to us, it is only a blank.
    std::string text(expression);
    std::replace_if(
        text.begin(), text.end(), [](char c) { return c != ' ' && is_blank(c); }, ' ');
    mu::Parser parser = make_parser(text);
    for (const auto& [name, value] : names) parser.DefineConst(name, static_cast<double>(value));
    int results = 0;
    const double* values = parser.Eval(results);
    if (results != 1)
      return expression_error(expression, say("it holds several values"), say("write one expression"));
    return values[0];
  } catch (const mu::ParserError& error) {
    std::string what = error.GetMsg();
    while (!what.empty() && (what.back() == '.' || is_blank(what.back()))) what.pop_back();
    return expression_error(expression, what, say("operators are + - * / ^ and comparisons"));
  }
}

}  // namespace

Result<double> evaluate_real(std::string_view expression, const Names& names) {
  const Result<std::vector<std::string>> used = scan(expression);
  if (!used) return used.error();
  for (const std::string& name : *used)
    if (!names.contains(name))
      return expression_error(expression, say("there is no axis {}", name), unknown_name_hint(name, names));
  Result<double> value = compute(expression, names);
  if (value && !std::isfinite(*value))
    return expression_error(
        expression, std::isnan(*value) ? say("its value is not a number") : say("its value is infinite"),
        say("look for a division by zero or too large a power"));
  return value;
}

Result<std::vector<std::string>> names_in_real(std::string_view expression) {
  Result<std::vector<std::string>> used = scan(expression);
  if (!used) return used;
  // Any value will do to find faults of syntax.
  Names ones;
  for (const std::string& name : *used) ones[name] = 1;
  const Result<double> value = compute(expression, ones);
  if (!value) return value.error();
  return used;
}

}  // namespace ridge::problem

// SPDX-License-Identifier: GPL-3.0-or-later
// Whole-number expressions: text becomes a small tree (every fault with its column), the tree is evaluated in
// checked 64-bit integers. A branch that is not taken is not evaluated, as in C.
#include <algorithm>
#include <bit>
#include <charconv>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "base/diagnostic.h"
#include "base/text.h"
#include "problem/expression.h"
#include "problem/expression_text.h"

namespace ridge::problem {
namespace {

using Int = std::int64_t;

struct Node;
using NodePtr = std::unique_ptr<Node>;

/// A number, a name, or an operation ("+", "?:", "ceil_div") on its arguments.
struct Node {
  std::string operation;  ///< "#": a number; "name": a name
  std::string name;
  Int value = 0;
  std::vector<NodePtr> arguments;
};

struct Function {
  const char* name;
  std::size_t least, most;  ///< arguments
};
constexpr Function kFunctions[] = {{"ceil_div", 2, 2},  {"floor_div", 2, 2}, {"min", 2, 64}, {"max", 2, 64},
                                   {"pow2_ceil", 1, 1}, {"align_up", 2, 2},  {"log2", 1, 1}};

std::vector<std::string> function_names() {
  std::vector<std::string> names;
  for (const Function& function : kFunctions) names.emplace_back(function.name);
  return names;
}

/// Binding strength of binary operators; 0: none.
int strength(std::string_view operation) {
  if (operation == "||") return 1;
  if (operation == "&&") return 2;
  if (operation == "==" || operation == "!=") return 3;
  if (operation == "<" || operation == "<=" || operation == ">" || operation == ">=") return 4;
  if (operation == "+" || operation == "-") return 5;
  if (operation == "*" || operation == "/" || operation == "%") return 6;
  return 0;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<NodePtr> parse() {
    if (text_.size() > kExpressionLength) return too_long(text_.size());
    advance();
    if (token_.empty() && !error_) fail(say("the expression is empty"), say("write a number or an axis"));
    NodePtr root = conditional();
    if (!error_ && !token_.empty()) unexpected();
    if (error_) return *error_;
    return root;
  }

 private:
  std::string_view text_, token_;
  std::size_t next_ = 0, start_ = 0;
  int depth_ = 0;
  std::optional<Error> error_;

  void fail(const Sentence& what, const Sentence& hint) {
    if (!error_) error_ = expression_error(text_, what, hint);
    token_ = {};
    next_ = text_.size();
  }

  void unexpected() {
    if (token_.empty()) {
      fail(say("it ends too early"), say("complete the expression or close its bracket"));
    } else if (token_ == ")") {
      fail(say("a ) has no ( before it, at column {}", start_ + 1), say("remove it or open a bracket"));
    } else {
      fail(say("\"{}\" is not expected at column {}", token_, start_ + 1),
           say("operators are + - * / % comparisons && || ! ?:"));
    }
  }

  void advance() {
    while (next_ < text_.size() && is_blank(text_[next_])) ++next_;
    start_ = next_;
    if (next_ >= text_.size()) {
      token_ = {};
      return;
    }
    const char first = text_[next_];
    if (is_name_start(first) || is_digit(first)) {
      while (next_ < text_.size() && is_name_part(text_[next_])) ++next_;
      if (is_digit(first) && next_ < text_.size() && text_[next_] == '.') {
        fail(say("it holds a fraction"), say("whole-number expressions take integers only"));
        return;
      }
    } else {
      static constexpr std::string_view kPairs[] = {"<=", ">=", "==", "!=", "&&",
                                                    "||", "//", "**", "<<", ">>"};
      const std::string_view pair = text_.substr(next_, 2);
      next_ += std::find(std::begin(kPairs), std::end(kPairs), pair) != std::end(kPairs) ? 2 : 1;
    }
    token_ = text_.substr(start_, next_ - start_);
    reject_foreign();
  }

  void reject_foreign() {
    if (token_ == "//") {
      fail(say("// is not known here"), say("write floor_div(a, b), or a / b, which drops the rest"));
    } else if (token_ == "**" || token_ == "^") {
      fail(say("there is no power operator for whole numbers"), say("multiply, or use pow2_ceil"));
    } else if (token_ == "<<" || token_ == ">>") {
      fail(say("there are no shifts"), say("multiply or divide by a power of two"));
    } else if (token_.size() == 1 && !is_name_start(token_[0]) && !is_digit(token_[0]) &&
               std::string_view("+-*/%()<>!?:,").find(token_[0]) == std::string_view::npos) {
      fail(say("the character at column {} does not belong into an expression", start_ + 1),
           say("operators are + - * / % comparisons && || ! ?:"));
    }
  }

  bool accept(std::string_view token) {
    if (error_ || token_ != token) return false;
    advance();
    return !error_;
  }

  NodePtr make(std::string operation) {
    auto node = std::make_unique<Node>();
    node->operation = std::move(operation);
    return node;
  }

  bool enter() {
    if (++depth_ <= kExpressionDepth) return true;
    fail(say("it is nested more than {} deep", kExpressionDepth), say("split it into axes of kind expr"));
    return false;
  }

  NodePtr conditional() {
    if (!enter()) return nullptr;
    NodePtr node = binary(1);
    if (accept("?")) {
      NodePtr choice = make("?:");
      choice->arguments.push_back(std::move(node));
      choice->arguments.push_back(conditional());
      if (!accept(":")) unexpected();
      choice->arguments.push_back(conditional());
      node = std::move(choice);
    }
    --depth_;
    return node;
  }

  NodePtr binary(int least) {
    NodePtr left = unary();
    while (!error_ && strength(token_) >= least) {
      NodePtr node = make(std::string(token_));
      const int own = strength(token_);
      advance();
      node->arguments.push_back(std::move(left));
      node->arguments.push_back(binary(own + 1));
      left = std::move(node);
    }
    return left;
  }

  NodePtr unary() {
    if (error_) return nullptr;
    if (token_ != "-" && token_ != "+" && token_ != "!") return primary();
    if (!enter()) return nullptr;
    NodePtr node = make("unary" + std::string(token_));
    advance();
    node->arguments.push_back(unary());
    --depth_;
    return node;
  }

  NodePtr primary() {
    if (error_) return nullptr;
    if (accept("(")) {
      NodePtr node = conditional();
      if (!accept(")")) missing_bracket();
      return node;
    }
    if (!token_.empty() && is_digit(token_[0])) return number();
    if (token_.empty() || !is_name_start(token_[0])) {
      unexpected();
      return nullptr;
    }
    const std::string name(token_);
    advance();
    if (token_ == "(") return call(name);
    NodePtr node = make("name");
    node->name = name;
    return node;
  }

  void missing_bracket() {
    if (token_.empty() && !error_) {
      fail(say("a ( is not closed"), say("write the missing )"));
    } else {
      unexpected();
    }
  }

  NodePtr number() {
    NodePtr node = make("#");
    const bool hex = token_.size() > 2 && token_[0] == '0' && (token_[1] == 'x' || token_[1] == 'X');
    const std::string_view digits = hex ? token_.substr(2) : token_;
    if (!hex && digits.size() > 1 && digits[0] == '0') {
      fail(say("{} starts with a zero", token_), say("write decimal numbers without leading zeros"));
      return node;
    }
    const auto [end, status] =
        std::from_chars(digits.data(), digits.data() + digits.size(), node->value, hex ? 16 : 10);
    if (status == std::errc::result_out_of_range) {
      fail(say("{} does not fit into 63 bits", token_), say("the largest number is 9223372036854775807"));
    } else if (status != std::errc() || end != digits.data() + digits.size()) {
      fail(say("\"{}\" is no whole number", token_), say("write digits only"));
    } else {
      advance();
    }
    return node;
  }

  NodePtr call(const std::string& name) {
    const Function* function = nullptr;
    for (const Function& known : kFunctions)
      if (name == known.name) function = &known;
    if (!function) {
      std::string near = name == "ceil" ? "ceil_div" : nearest(name, function_names());
      fail(say("there is no function {}", name),
           near.empty() ? say("functions: {}", joined(function_names()))
                        : say("did you mean {}? functions: {}", near, joined(function_names())));
      return nullptr;
    }
    advance();
    NodePtr node = make(name);
    if (token_ != ")") {
      do node->arguments.push_back(conditional());
      while (accept(","));
    }
    if (!accept(")")) missing_bracket();
    const std::size_t count = node->arguments.size();
    if (!error_ && (count < function->least || count > function->most)) {
      fail(function->most > function->least
               ? say("{} takes {} or more arguments, not {}", name, function->least, count)
               : say("{} takes {} argument(s), not {}", name, function->least, count),
           name == "ceil_div" ? "ceil_div(rows, 128)" : "");
    }
    return node;
  }
};

class Evaluator {
 public:
  Evaluator(std::string_view text, const Names& names) : text_(text), names_(names) {}

  Result<Int> run(const Node& root) {
    const Int value = evaluate(root);
    if (error_) return *error_;
    return value;
  }

 private:
  std::string_view text_;
  const Names& names_;
  std::optional<Error> error_;

  Int fail(const Sentence& what, const Sentence& hint) {
    if (!error_) error_ = expression_error(text_, what, hint);
    return 0;
  }
  Int overflow(const std::string& how) {
    return fail(say("{} does not fit into 63 bits", how),
                say("use smaller numbers or another order of the operations"));
  }
  static std::string shown(Int left, std::string_view operation, Int right) {
    return std::to_string(left) + " " + std::string(operation) + " " + std::to_string(right);
  }

  Int evaluate(const Node& node) {
    if (error_) return 0;
    const std::string& operation = node.operation;
    if (operation == "#") return node.value;
    if (operation == "name") return look_up(node.name);
    const Int first = evaluate(*node.arguments[0]);
    if (error_) return 0;
    if (operation == "?:") return evaluate(*node.arguments[first != 0 ? 1 : 2]);
    if (operation == "&&") return first != 0 && evaluate(*node.arguments[1]) != 0;
    if (operation == "||") return first != 0 || evaluate(*node.arguments[1]) != 0;
    if (node.arguments.size() == 1) return apply_one(operation, first);
    Int value = first;
    for (std::size_t i = 1; i < node.arguments.size(); ++i) {
      const Int next = evaluate(*node.arguments[i]);
      if (error_) return 0;
      value = apply_two(operation, value, next);
    }
    return value;
  }

  Int look_up(const std::string& name) {
    const auto found = names_.find(name);
    if (found != names_.end()) return found->second;
    return fail(say("there is no axis or macro {}", name), unknown_name_hint(name, names_));
  }

  Int apply_one(const std::string& operation, Int value) {
    if (operation == "unary+") return value;
    if (operation == "unary!") return value == 0;
    if (operation == "unary-") {
      Int result = 0;
      return __builtin_sub_overflow(Int{0}, value, &result) ? overflow("-(" + std::to_string(value) + ")")
                                                            : result;
    }
    if (operation == "log2") {
      if (value < 1) return fail(say("log2({}) does not exist", value), say("its argument is at least 1"));
      return std::bit_width(static_cast<std::uint64_t>(value)) - 1;
    }
    if (value <= 1) return 1;  // pow2_ceil
    if (value > (Int{1} << 62)) return overflow("pow2_ceil(" + std::to_string(value) + ")");
    return static_cast<Int>(std::bit_ceil(static_cast<std::uint64_t>(value)));
  }

  Int apply_two(const std::string& operation, Int left, Int right) {
    Int result = 0;
    if (operation == "+" && !__builtin_add_overflow(left, right, &result)) return result;
    if (operation == "-" && !__builtin_sub_overflow(left, right, &result)) return result;
    if (operation == "*" && !__builtin_mul_overflow(left, right, &result)) return result;
    if (operation == "==") return left == right;
    if (operation == "!=") return left != right;
    if (operation == "<") return left < right;
    if (operation == "<=") return left <= right;
    if (operation == ">") return left > right;
    if (operation == ">=") return left >= right;
    if (operation == "min") return std::min(left, right);
    if (operation == "max") return std::max(left, right);
    if (operation == "+" || operation == "-" || operation == "*")
      return overflow(shown(left, operation, right));
    return divide(operation, left, right);
  }

  Int divide(const std::string& operation, Int left, Int right) {
    const std::string call =
        operation.size() == 1 ? shown(left, operation, right)
                              : operation + "(" + std::to_string(left) + ", " + std::to_string(right) + ")";
    if (right == 0) return fail(say("{} divides by zero", call), {});
    if (left == std::numeric_limits<Int>::min() && right == -1) return overflow(call);
    if (operation == "/") return left / right;
    if (operation == "%") return left % right;
    const bool uneven = left % right != 0;
    const bool positive = (left < 0) == (right < 0);
    if (operation == "floor_div") return left / right - (uneven && !positive);
    const Int up = left / right + (uneven && positive);
    if (operation == "ceil_div") return up;
    Int result = 0;  // align_up
    return __builtin_mul_overflow(up, right, &result) ? overflow(call) : result;
  }
};

void collect(const Node& node, std::vector<std::string>& names) {
  if (node.operation == "name" && std::find(names.begin(), names.end(), node.name) == names.end())
    names.push_back(node.name);
  for (const NodePtr& argument : node.arguments) collect(*argument, names);
}

}  // namespace

Result<Int> evaluate_whole(std::string_view expression, const Names& names) {
  Result<NodePtr> tree = Parser(expression).parse();
  if (!tree) return tree.error();
  Result<Int> value = Evaluator(expression, names).run(**tree);
  if (value && *value < 0)
    return expression_error(expression, say("its value is {}", *value), say("it must not be negative"));
  return value;
}

Result<std::vector<Int>> evaluate_extents(std::string_view expressions, const Names& names) {
  const std::vector<std::string> parts = split_list(expressions);
  if (parts.empty() || parts.size() > 3) {
    return expression_error(expressions, say("one to three expressions belong here, not {}", parts.size()),
                            say("write {}", "x, y, z"));
  }
  std::vector<Int> extents(3, 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    Result<Int> value = evaluate_whole(parts[i], names);
    if (!value) return value.error();
    extents[i] = *value;
  }
  return extents;
}

Result<std::vector<std::string>> names_in_whole(std::string_view expression) {
  Result<NodePtr> tree = Parser(expression).parse();
  if (!tree) return tree.error();
  std::vector<std::string> names;
  collect(**tree, names);
  return names;
}

}  // namespace ridge::problem

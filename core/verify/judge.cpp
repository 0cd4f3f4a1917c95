// SPDX-License-Identifier: GPL-3.0-or-later
#include "verify/judge.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/hashing.h"
#include "verify/attribution.h"

namespace ridge::verify {
namespace {

constexpr std::int64_t kChunk = std::int64_t{8} << 20;  ///< elements read back at a time
static_assert(kChunk % (64 * 1024) == 0, "chunks hold whole pieces of a comparison");

/// Fewer elements than these may well all be 0.
constexpr std::int64_t kManyZeros = 64;

/// Elements of an output whose last writers are recorded, 8 bytes each; the span begins with the first wrong
/// one.
constexpr std::int64_t kWatched = std::int64_t{1} << 24;

std::string number(double value) {
  if (std::isnan(value)) return "NaN";
  char text[40];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string place(const std::string& tensor, const std::vector<std::int64_t>& index) {
  std::string text = tensor;
  for (const std::int64_t i : index) text += "[" + std::to_string(i) + "]";
  return text;
}

/// Faults after which a launch did not complete, so that its outputs say nothing.
bool ended_early(const std::vector<Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return finding.status < Status::race; });
}

}  // namespace

/// An output of the problem, as the candidate stores it.
struct Judge::Output {
  std::size_t index = 0;  ///< in the problem
  device::Address address = 0;
  const device::BufferPlan* buffer = nullptr;
  bool poisoned = false;  ///< not zeroed, not a copy of an input
  std::optional<Tolerance> tolerance;
};

/// What one launch answered.
struct Judge::Answer {
  int variation = 0;
  std::size_t step = 0;  ///< which launch
  bool passes = true;
  std::string fingerprint;              ///< of all outputs, bit for bit
  std::vector<Difference> differences;  ///< one per output; empty without a reference
  std::vector<Tolerance> tolerances;    ///< with margins
};

/// One judged launch.
struct Judge::Step {
  int variation = 0;
  bool permuted = false;
};

Judge::Judge(device::Device& device, const problem::BoundProblem& problem, const device::LaunchSequence& plan,
             device::LaunchOptions options)
    : device_(device),
      problem_(problem),
      plan_(plan),
      options_(std::move(options)),
      inputs_(device, problem, options_.threads) {}

Judge::~Judge() {
  for (const device::Address address : owned_) device_.release(address);
}

Result<void> Judge::allocate() {
  addresses_.assign(plan_.buffers.size(), 0);
  for (const bool inputs : {false, true}) {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      const device::BufferPlan& buffer = plan_.buffers[i];
      if ((buffer.role == device::BufferRole::input) != inputs) continue;
      auto address = inputs ? inputs_.address(static_cast<std::size_t>(buffer.tensor))
                            : device_.allocate(std::max<std::int64_t>(buffer.bytes, 1), buffer.name);
      if (!address) return address.error();
      addresses_[i] = *address;
      if (!inputs) owned_.push_back(*address);
      if (buffer.role == device::BufferRole::output) {
        outputs_.push_back({static_cast<std::size_t>(buffer.tensor), *address, &buffer,
                            buffer.copy_of < 0 && !buffer.zeroed, std::nullopt});
      }
    }
  }
  auto bound = device::bind(device_, plan_, addresses_);
  if (!bound) return bound.error();
  sequence_ = *std::move(bound);
  return {};
}

Result<void> Judge::bind_symbols(device::Module& module) {
  for (const device::SymbolFill& fill : plan_.symbols) {
    auto global = module.global(fill.symbol);
    if (!global) return global.error();
    const auto buffer = static_cast<std::size_t>(fill.buffer);
    sequence_.restore.push_back({global->address, addresses_[buffer], plan_.buffers[buffer].bytes});
  }
  return {};
}

Result<void> Judge::poison(std::uint32_t pattern) {
  for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
    const device::BufferPlan& buffer = plan_.buffers[i];
    if (buffer.role == device::BufferRole::input || buffer.bytes == 0) continue;
    if (auto poisoned = device_.poison(addresses_[i], buffer.bytes, pattern); !poisoned)
      return poisoned.error();
  }
  return {};
}

/// Guard zones and inputs, which no kernel may touch.
Result<void> Judge::check_surroundings(std::vector<Finding>& findings) {
  auto guards = device_.damaged_guards();
  if (!guards) return guards.error();
  for (const Sentence& damage : *guards) {
    findings.push_back({Status::out_of_bounds,
                        say("The kernel wrote outside of its tensors: {}.", damage),
                        options_.source_file,
                        0,
                        {},
                        {},
                        1});
  }
  auto changes = inputs_.changes();
  if (!changes) return changes.error();
  for (const Inputs::Change& change : *changes) {
    const problem::BoundTensor& tensor = problem_.inputs[change.input];
    findings.push_back({Status::input_modified,
                        say("The kernel changes its input {}; the first changed element is {}. Write to an "
                            "output or to a scratch tensor instead.",
                            tensor.name, place(tensor.name, coordinates(change.first, tensor.extents))),
                        options_.source_file,
                        0,
                        {},
                        {},
                        1});
    if (auto restored = inputs_.restore(change); !restored) return restored.error();
  }
  return {};
}

/// Reads the reference once for its magnitude, which sets the tolerances.
Result<void> Judge::survey(Reference& reference) {
  std::vector<std::byte> chunk;
  std::int64_t elements = 0, zeros = 0;
  for (Output& output : outputs_) {
    const DType dtype = reference.dtype(output.index);
    Survey survey;
    for (std::int64_t at = 0; at < output.buffer->elements; at += kChunk) {
      chunk.resize(static_cast<std::size_t>(std::min(kChunk, output.buffer->elements - at)) * size_of(dtype));
      if (auto read = reference.read(output.index, at, chunk); !read) return read.error();
      survey.add({dtype, chunk}, options_.threads);
    }
    const Magnitude magnitude = survey.result();
    elements += output.buffer->elements;
    if (magnitude.max_abs == 0) zeros += magnitude.elements;
    output.tolerance =
        tolerance_for({output.buffer->name, output.buffer->dtype, problem_.unit, problem_.reduction,
                       problem_.mse, problem_.rtol, problem_.atol, magnitude});
  }
  zeros_pass_ = zeros_pass_ && elements >= kManyZeros && zeros == elements && inputs_.vary();
  return {};
}

/// Compares all outputs with the reference and takes their fingerprint.
Result<Judge::Answer> Judge::examine(Reference* reference, std::optional<std::uint32_t> pattern,
                                     std::vector<PoisonMap>* unwritten) {
  Answer answer;
  answer.variation = inputs_.variation();
  std::vector<std::byte> got, expected;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Output& output = outputs_[i];
    const device::BufferPlan& buffer = *output.buffer;
    std::optional<Comparison> comparison;
    const bool keep_wrong = device_.info().kind == device::Kind::emulator;  // which can name the writers
    if (reference != nullptr) comparison.emplace(*output.tolerance, buffer.extents, keep_wrong);
    for (std::int64_t at = 0; at < buffer.elements; at += kChunk) {
      const auto count = static_cast<std::size_t>(std::min(kChunk, buffer.elements - at));
      got.resize(count * size_of(buffer.dtype));
      const auto offset = static_cast<device::Address>(at) * size_of(buffer.dtype);
      if (auto read = device_.read(output.address + offset, got); !read) return read.error();
      answer.fingerprint += content_hash({reinterpret_cast<const char*>(got.data()), got.size()});
      if (pattern && output.poisoned)
        (*unwritten)[i].keep({buffer.dtype, got}, at, *pattern, options_.threads);
      if (!comparison) continue;
      const DType dtype = reference->dtype(output.index);
      expected.resize(count * size_of(dtype));
      if (auto read = reference->read(output.index, at, expected); !read) return read.error();
      comparison->add({buffer.dtype, got}, {dtype, expected}, at, options_.threads);
    }
    if (!comparison) continue;
    answer.differences.push_back(comparison->result());
    answer.tolerances.push_back(*output.tolerance);
    answer.tolerances.back().margin = comparison->result().margin;
    answer.passes = answer.passes && comparison->result().passes(*output.tolerance);
  }
  return answer;
}

/// What the reference keeps on the device is no candidate's to reach.
Result<device::LaunchOutcome> Judge::launch(device::Module& module, Reference* reference,
                                            const device::LaunchOptions& options) {
  if (reference != nullptr) reference->conceal(true);
  auto outcome = device_.execute(module, sequence_, options);
  if (reference != nullptr) reference->conceal(false);
  return outcome;
}

Result<Verdict> Judge::judge(device::Module& module, Reference* reference, const OnLaunch& on_launch) {
  if (auto bound = bind_symbols(module); !bound) return bound.error();
  Verdict verdict;
  if (plan_.launches.empty()) {  // an empty grid for empty outputs
    verdict.status = Status::pass;
    verdict.elements = verdict.mismatches = 0;
    return verdict;
  }

  // Ascending order comes first, so that counters do not depend on a seed. Where a clock is to follow, the
  // other inputs come first: the workload's own are then in place for the measurement.
  const bool other_inputs = reference != nullptr && reference->follows_inputs();
  std::vector<Step> steps{{0, false}, {0, true}};
  if (other_inputs) {
    if (device_.stopwatch() != nullptr)
      steps.insert(steps.begin(), {1, false});
    else
      steps.push_back({1, true});
  }

  for (const Output& output : outputs_) {
    unwritten_equal_.emplace_back(output.poisoned ? output.buffer->elements : 0);
    unwritten_other_.emplace_back(output.poisoned ? output.buffer->elements : 0);
  }
  std::vector<Finding> findings;
  std::vector<Answer> answers;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (on_launch) on_launch(static_cast<int>(i) + 1, static_cast<int>(steps.size()));
    const bool fresh = inputs_.variation() != step.variation;
    if (fresh) {
      if (auto loaded = inputs_.load(step.variation); !loaded) return loaded.error();
    }
    const std::uint32_t pattern = kPoison[i % kPoison.size()];
    if (auto poisoned = poison(pattern); !poisoned) return poisoned.error();

    device::LaunchOptions options = options_;
    options.order = {step.permuted, problem_.seed + i};
    options.counters = options_.counters && i == 0;
    options.lines = options_.lines && i == 0;
    options.traffic = options_.traffic && i == 0;
    if (i > 0) options.trace.reset();
    auto outcome = launch(module, reference, options);
    if (outcome && outcome->threads > 1 && !outcome->findings.empty() && !outcome->stopped) {
      // Who meets whom in a race, and how far others came before a trap, is for the host's threads to decide;
      // one thread always tells the same story.
      std::vector<Finding> ignored;
      if (auto checked = check_surroundings(ignored); !checked) return checked.error();
      if (auto poisoned = poison(pattern); !poisoned) return poisoned.error();
      options.threads = 1;
      outcome = launch(module, reference, options);
    }
    if (!outcome) return outcome.error();
    if (outcome->stopped)
      return Error{ErrorKind::cancelled, "cancelled", say("The run was stopped."), {}, {}, 0};
    ++verdict.launches;
    findings.insert(findings.end(), outcome->findings.begin(), outcome->findings.end());
    device_lost_ = device_lost_ || outcome->device_lost;
    const bool given_up = outcome->given_up;
    if (i == 0) first_outcome_ = std::move(*outcome);
    if (device_lost_ || given_up || ended_early(findings)) break;

    if (auto checked = check_surroundings(findings); !checked) return checked.error();
    if (reference != nullptr && fresh) {
      if (auto computed = reference->compute(inputs_); !computed) return computed.error();
      if (auto surveyed = survey(*reference); !surveyed) return surveyed.error();
    }
    auto answer = examine(reference, pattern, step.variation == 0 ? &unwritten_equal_ : &unwritten_other_);
    if (!answer) return answer.error();
    answer->step = i;
    answers.push_back(std::move(*answer));
    if (!findings.empty()) break;  // the cause is known; more launches would only repeat it
  }
  conclude(answers, std::move(findings), reference != nullptr, verdict);
  if (const Answer* answer = shown(answers); answer != nullptr && !answer->passes)
    if (auto named = name_writers(module, reference, *answer, steps[answer->step], verdict); !named)
      return named.error();
  return verdict;
}

const Judge::Answer* Judge::shown(const std::vector<Answer>& answers) {
  const Answer* fallback = nullptr;
  for (const bool own : {true, false}) {
    for (const Answer& answer : answers) {
      if ((answer.variation == 0) != own) continue;
      if (!answer.passes) return &answer;
      if (fallback == nullptr) fallback = &answer;
    }
  }
  return fallback;
}

Result<void> Judge::name_writers(device::Module& module, Reference* reference, const Answer& answer,
                                 const Step& step, Verdict& verdict) {
  if (device_.info().kind != device::Kind::emulator) return {};
  struct Asked {
    const Output* output;
    const std::vector<std::uint64_t>* wrong;
    std::int64_t first;
  };
  std::vector<Asked> asked;
  device::LaunchOptions options = options_;
  options.order = {step.permuted, problem_.seed + answer.step};
  options.counters = options.lines = false;
  options.trace.reset();
  options.checks = true;
  for (std::size_t i = 0; i < answer.differences.size(); ++i) {
    const Difference& difference = answer.differences[i];
    if (difference.mismatches == 0 || difference.wrong.empty()) continue;
    std::size_t word = 0;
    while (difference.wrong[word] == 0) ++word;
    const auto first = static_cast<std::int64_t>(word) * 64;
    const device::BufferPlan& buffer = *outputs_[i].buffer;
    const auto size = static_cast<std::int64_t>(size_of(buffer.dtype));
    options.watches.push_back({outputs_[i].address + static_cast<device::Address>(first * size),
                               std::min(kWatched, buffer.elements - first), size});
    asked.push_back({&outputs_[i], &difference.wrong, first});
  }
  if (asked.empty()) return {};
  if (inputs_.variation() != answer.variation)
    if (auto loaded = inputs_.load(answer.variation); !loaded) return loaded.error();
  if (auto poisoned = poison(kPoison[answer.step % kPoison.size()]); !poisoned) return poisoned.error();
  auto outcome = launch(module, reference, options);
  if (!outcome) return outcome.error();
  if (outcome->stopped)
    return Error{ErrorKind::cancelled, "cancelled", say("The run was stopped."), {}, {}, 0};
  if (outcome->writers.size() != asked.size()) return {};
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const device::BufferPlan& buffer = *asked[k].output->buffer;
    const device::Writers& writers = outcome->writers[k];
    for (Mismatch& mismatch : verdict.first) {
      if (mismatch.tensor != buffer.name) continue;
      std::int64_t element = 0;
      for (std::size_t d = 0; d < mismatch.index.size(); ++d)
        element = element * buffer.extents[d] + mismatch.index[d];
      if (const auto thread = writers.at(element - asked[k].first))
        mismatch.writer = writer_from(*thread, sequence_);
    }
    for (ErrorMap& map : maps_by_writer(buffer.name, *asked[k].wrong, asked[k].first, writers, sequence_))
      verdict.error_maps.push_back(std::move(map));
  }
  return {};
}

namespace {

/// "12 of 1000 elements of y are wrong; the first is y[3][4]: 0.5 expected, 0.25 found."
Sentence describe(const Difference& difference, const Tolerance& tolerance) {
  const std::string& name = tolerance.tensor;
  if (difference.mismatches > 0) {
    const Mismatch& first = difference.first.front();
    const std::int64_t count = difference.mismatches, all = difference.elements;
    Sentence wrong = count == 1 ? say("{} element of {} in {} is wrong", count, all, name)
                                : say("{} elements of {} in {} are wrong", count, all, name);
    if (difference.nans > 0) wrong = say("{} ({} NaN)", wrong, difference.nans);
    return say("{}; the first is {}: {} expected, {} found.", wrong, place(name, first.index),
               number(first.expected), number(first.got));
  }
  if (tolerance.mse && !(difference.mse() <= *tolerance.mse)) {
    return say("The mean squared error of {} is {}, above {}.", name, number(difference.mse()),
               number(*tolerance.mse));
  }
  return say("All elements of {} are equal, but those of the reference are not.", name);
}

void report_numbers(Verdict& verdict, const std::vector<Difference>& differences) {
  verdict.elements = verdict.mismatches = 0;
  verdict.mse = verdict.max_abs = verdict.max_rel = verdict.max_ulp = 0;
  for (const Difference& difference : differences) {
    *verdict.elements += difference.elements;
    *verdict.mismatches += difference.mismatches;
    const double mse = difference.mse();
    if (!(mse <= *verdict.mse)) verdict.mse = mse;  // NaN wins
    verdict.max_abs = std::max(*verdict.max_abs, difference.max_abs);
    verdict.max_rel = std::max(*verdict.max_rel, difference.max_rel);
    verdict.max_ulp = std::max(*verdict.max_ulp, difference.max_ulp);
    for (const Mismatch& mismatch : difference.first) {
      if (verdict.first.size() < kFirstMismatches) verdict.first.push_back(mismatch);
    }
    if (difference.map) verdict.error_maps.push_back(*difference.map);
  }
}

}  // namespace

void Judge::conclude(const std::vector<Answer>& answers, std::vector<Finding> findings, bool has_reference,
                     Verdict& verdict) {
  std::vector<const Answer*> equal;
  for (const Answer& answer : answers) {
    if (answer.variation == 0) equal.push_back(&answer);
  }
  if (!equal.empty()) own_fingerprint_ = equal.front()->fingerprint;
  if (equal.size() >= 2) {
    verdict.deterministic = std::all_of(equal.begin(), equal.end(), [&](const Answer* answer) {
      return answer->fingerprint == equal.front()->fingerprint;
    });
  }

  for (std::size_t i = 0; i < outputs_.size() && !answers.empty(); ++i) {
    if (!outputs_[i].poisoned) continue;
    // One launch proves little for types of one or two bytes: a right value may look like the poison.
    const bool wide = size_of(outputs_[i].buffer->dtype) >= 4;
    const bool judged_equal = equal.size() >= 2 || (wide && !equal.empty());
    const bool judged_other = wide && answers.size() > equal.size();
    const PoisonMap* map = judged_equal && unwritten_equal_[i].count() > 0   ? &unwritten_equal_[i]
                           : judged_other && unwritten_other_[i].count() > 0 ? &unwritten_other_[i]
                                                                             : nullptr;
    if (map == nullptr) continue;
    const std::string& name = outputs_[i].buffer->name;
    const std::int64_t count = map->count(), all = outputs_[i].buffer->elements;
    const std::string first = place(name, coordinates(*map->first(), outputs_[i].buffer->extents));
    findings.push_back(
        {Status::unwritten,
         count == 1
             ? say("{} element of {} in {} is never written; the first is {}.", count, all, name, first)
             : say("{} elements of {} in {} are never written; the first is {}.", count, all, name, first),
         options_.source_file,
         0,
         {},
         {},
         1});
  }

  if (has_reference && !answers.empty()) {
    const auto failing = [](const Answer* answer) { return !answer->passes; };
    const auto own = std::find_if(equal.begin(), equal.end(), failing);
    const Answer& answer = *shown(answers);
    report_numbers(verdict, answer.differences);
    verdict.tolerances = answer.tolerances;
    if (zeros_pass_)
      verdict.warnings.push_back(
          say("The reference is 0 everywhere although its inputs vary, so a kernel that writes only zeros "
              "passes too. Check the reference, or choose inputs that tell kernels apart."));
    if (!answer.passes) {
      const bool mixed = own != equal.end() && !std::all_of(equal.begin(), equal.end(), failing);
      std::int64_t nans = 0, wrong = 0;
      Sentence message;
      for (std::size_t i = 0; i < answer.differences.size(); ++i) {
        nans += answer.differences[i].nans;
        wrong += answer.differences[i].mismatches - answer.differences[i].nans;
        if (message.empty() && !answer.differences[i].passes(answer.tolerances[i]))
          message = describe(answer.differences[i], answer.tolerances[i]);
      }
      // A NaN makes more NaN, never a wrong number: where there are both, the wrong numbers are the cause.
      Status status = nans > 0 && wrong == 0 ? Status::nan : Status::wrong_values;
      if (mixed) {
        status = Status::nondeterministic;
        message = say("Launches on equal inputs disagree: some pass and some do not. {}", message);
      } else if (own == equal.end() && !equal.empty()) {
        message = say("Right for the workload's inputs, wrong once the same addresses hold other inputs. {}",
                      message);
      }
      findings.push_back({status, message, options_.source_file, 0, {}, {}, 1});
    }
  }
  verdict.status = has_reference ? Status::pass : Status::no_reference;
  if (!has_reference) verdict.message = say("There is no reference to judge by.");
  take_cause(verdict, std::move(findings));
}

Result<void> Judge::recheck(Reference* reference, Verdict& verdict) {
  if (plan_.launches.empty()) return {};
  std::vector<Finding> findings;
  if (auto checked = check_surroundings(findings); !checked) return checked.error();
  auto answer = examine(reference, std::nullopt, nullptr);
  if (!answer) return answer.error();
  if (verdict.deterministic && answer->fingerprint != own_fingerprint_) verdict.deterministic = false;
  if (!answer->passes) {
    verdict.first.clear();
    verdict.error_maps.clear();
    report_numbers(verdict, answer->differences);
    verdict.tolerances = answer->tolerances;
    for (std::size_t i = 0; i < answer->differences.size(); ++i) {
      if (answer->differences[i].passes(answer->tolerances[i])) continue;
      findings.push_back({Status::nondeterministic,
                          say("The judged launches pass, but the outputs of the timed launches do not. {}",
                              describe(answer->differences[i], answer->tolerances[i])),
                          options_.source_file,
                          0,
                          {},
                          {},
                          1});
    }
  }
  findings.insert(findings.end(), verdict.findings.begin(), verdict.findings.end());
  take_cause(verdict, std::move(findings));
  return {};
}

std::int64_t needed_bytes(const device::LaunchSequence& plan) {
  std::int64_t bytes = 0;
  for (const device::BufferPlan& buffer : plan.buffers) bytes += buffer.bytes;
  return bytes;
}

void rank(std::vector<Finding>& findings) {
  std::vector<Finding> merged;
  for (Finding& finding : findings) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Finding& other) {
      return other.status == finding.status && other.line == finding.line && other.file == finding.file &&
             (finding.line > 0 || other.message == finding.message);
    });
    if (same == merged.end())
      merged.push_back(std::move(finding));
    else
      same->count += finding.count;
  }
  std::stable_sort(merged.begin(), merged.end(),
                   [](const Finding& a, const Finding& b) { return a.status < b.status; });
  findings = std::move(merged);
}

void take_cause(Verdict& verdict, std::vector<Finding> findings) {
  rank(findings);
  verdict.findings = std::move(findings);
  if (verdict.findings.empty()) return;
  const Finding& cause = verdict.findings.front();
  verdict.status = cause.status;
  verdict.message = cause.message;
  verdict.line = cause.line;
}

}  // namespace ridge::verify

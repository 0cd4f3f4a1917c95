// SPDX-License-Identifier: GPL-3.0-or-later
#include "device/cuda/activity.h"

#include <cupti.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <string_view>

#include "compile/compile.h"
#include "device/cuda/flush.h"

namespace ridge::device::cuda {
namespace {

constexpr std::size_t kBufferBytes = 256 << 10;
constexpr std::size_t kRecordAlignment = 8;

/// CUPTI's callbacks carry no pointer of ours, so what they deliver is collected here.
struct Sink {
  std::mutex mutex;
  std::vector<ActivityRecord> records;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
};
Sink& sink() {
  static Sink instance;
  return instance;
}

void CUPTIAPI provide_buffer(std::uint8_t** buffer, std::size_t* size, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kRecordAlignment, kBufferBytes));
  *size = *buffer != nullptr ? kBufferBytes : 0;
  *most_records = 0;
}

void keep(const CUpti_Activity* record, std::vector<ActivityRecord>& records) {
  if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) {
    // Versions 9 and 10 of the record (CUDA 12 and 13) agree up to the name, which is all that is read here.
    const auto* kernel = reinterpret_cast<const CUpti_ActivityKernel9*>(record);
    const bool flush = kernel->name != nullptr && std::string_view(kernel->name).starts_with(kFlushPrefix);
    records.push_back({kernel->start, kernel->end, flush});
  } else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET) {
    const auto* memset = reinterpret_cast<const CUpti_ActivityMemset4*>(record);
    records.push_back({memset->start, memset->end, false});
  }
}

void CUPTIAPI take_buffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
  {
    Sink& collected = sink();
    const std::scoped_lock lock(collected.mutex);
    CUpti_Activity* record = nullptr;
    while (valid > 0 && collected.next_record(buffer, valid, &record) == CUPTI_SUCCESS)
      keep(record, collected.records);
  }
  std::free(buffer);
}

Error unavailable(Sentence message, Sentence hint) {
  return {ErrorKind::component, "cupti_unavailable", std::move(message), std::move(hint), {}, 0};
}

Error failed(CUptiResult result) {
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
    return unavailable(say("another profiler (nsys, ncu, cuda-gdb) is attached to this process"),
                       say("Run without it to get activity times."));
  return unavailable(say("CUPTI answered with error {}", static_cast<int>(result)), {});
}

}  // namespace

std::vector<std::filesystem::path> cupti_candidates() {
  std::vector<std::filesystem::path> roots;
  for (const char* variable : {"RIDGE_CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"})
    if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
      roots.emplace_back(value);
  if (const auto toolkit = compile::find_toolkit()) roots.push_back(toolkit->root);
  roots.emplace_back("/usr/local/cuda");

  std::vector<std::filesystem::path> candidates;
  for (const auto& root : roots)
    for (const char* folder : {"extras/CUPTI/lib64", "lib64", "lib", "targets/x86_64-linux/lib"})
      for (const char* name : {"libcupti.so.13", "libcupti.so.12"}) {
        std::error_code ignored;
        if (std::filesystem::exists(root / folder / name, ignored))
          candidates.push_back(root / folder / name);
      }
  candidates.emplace_back("libcupti.so.13");
  candidates.emplace_back("libcupti.so.12");
  return candidates;
}

struct ActivityRecorder::Functions {
  decltype(&cuptiActivityRegisterCallbacks) register_callbacks = nullptr;
  decltype(&cuptiActivityEnable) enable = nullptr;
  decltype(&cuptiActivityDisable) disable = nullptr;
  decltype(&cuptiActivityFlushAll) flush_all = nullptr;
  decltype(&cuptiActivityGetNextRecord) next_record = nullptr;
};

Result<std::unique_ptr<ActivityRecorder>> ActivityRecorder::open() {
  void* library = nullptr;
  for (const auto& candidate : cupti_candidates())
    if (library == nullptr) library = dlopen(candidate.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return unavailable(say("there is no libcupti.so.13 or .12"),
                       say("Install the toolkit's CUPTI (cuda-cupti, or the wheel nvidia-cuda-cupti), or set "
                           "RIDGE_CUDA_ROOT to a toolkit that has it."));
  auto functions = std::make_unique<Functions>();
  const auto bind = [library](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    return function != nullptr;
  };
  if (!bind(functions->register_callbacks, "cuptiActivityRegisterCallbacks") ||
      !bind(functions->enable, "cuptiActivityEnable") || !bind(functions->disable, "cuptiActivityDisable") ||
      !bind(functions->flush_all, "cuptiActivityFlushAll") ||
      !bind(functions->next_record, "cuptiActivityGetNextRecord"))
    return unavailable(say("the libcupti found lacks the activity functions"),
                       say("Use CUPTI of CUDA 12.9 or newer."));

  {
    Sink& collected = sink();
    const std::scoped_lock lock(collected.mutex);
    collected.next_record = functions->next_record;
  }
  if (const CUptiResult result = functions->register_callbacks(provide_buffer, take_buffer);
      result != CUPTI_SUCCESS)
    return failed(result);
  std::unique_ptr<ActivityRecorder> recorder(new ActivityRecorder);
  recorder->functions_ = std::move(functions);
  return recorder;
}

ActivityRecorder::~ActivityRecorder() = default;

Result<void> ActivityRecorder::start() {
  {
    Sink& collected = sink();
    const std::scoped_lock lock(collected.mutex);
    collected.records.clear();
  }
  for (const CUpti_ActivityKind kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMSET})
    if (const CUptiResult result = functions_->enable(kind); result != CUPTI_SUCCESS) return failed(result);
  return {};
}

Result<std::vector<ActivityRecord>> ActivityRecorder::stop() {
  const CUptiResult flushed = functions_->flush_all(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  functions_->disable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
  functions_->disable(CUPTI_ACTIVITY_KIND_MEMSET);
  if (flushed != CUPTI_SUCCESS) return failed(flushed);
  std::vector<ActivityRecord> records;
  {
    Sink& collected = sink();
    const std::scoped_lock lock(collected.mutex);
    records.swap(collected.records);
  }
  std::stable_sort(records.begin(), records.end(),
                   [](const ActivityRecord& a, const ActivityRecord& b) { return a.start_ns < b.start_ns; });
  return records;
}

std::vector<double> sample_spans(const std::vector<ActivityRecord>& records, int count, bool flushed) {
  struct Span {
    std::uint64_t start = 0, end = 0;
  };
  std::vector<Span> spans;
  const auto extend = [](Span& span, const ActivityRecord& record) {
    if (span.end == 0) span.start = record.start_ns;
    span.end = std::max(span.end, record.end_ns);
  };
  if (flushed) {
    for (const ActivityRecord& record : records) {
      if (record.flush)
        spans.emplace_back();
      else if (!spans.empty())
        extend(spans.back(), record);
    }
  } else if (count > 0 && !records.empty() && records.size() % static_cast<std::size_t>(count) == 0) {
    const std::size_t per_sample = records.size() / static_cast<std::size_t>(count);
    spans.resize(static_cast<std::size_t>(count));
    for (std::size_t index = 0; index < records.size(); ++index)
      extend(spans[index / per_sample], records[index]);
  }
  std::vector<double> microseconds;
  for (const Span& span : spans)
    if (span.end > span.start) microseconds.push_back(static_cast<double>(span.end - span.start) / 1000.0);
  if (spans.size() != static_cast<std::size_t>(count) || microseconds.size() != spans.size()) return {};
  return microseconds;
}

}  // namespace ridge::device::cuda

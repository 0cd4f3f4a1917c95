// SPDX-License-Identifier: GPL-3.0-or-later
// A reference in Python: `run` of reference.py gets the inputs as numpy arrays and scalars and axes as
// numbers, matched by name, in a process of its own; arrays travel as .npy files in a private folder.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/files.h"
#include "base/json.h"
#include "base/text.h"
#include "problem/generate.h"
#include "verify/child.h"
#include "verify/reference.h"

namespace ridge::verify {
namespace {

namespace fs = std::filesystem;

/// Floating outputs come back as float64, integers in the tensor's own type.
constexpr const char* kDriver = R"PY(
import importlib.util, inspect, json, sys
import numpy as np
job = json.load(open(sys.argv[1] + "/job.json"))
spec = importlib.util.spec_from_file_location("reference", job["file"])
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
known = dict(job["numbers"])
for name in job["inputs"]:
    known[name] = np.load(f"{sys.argv[1]}/{name}.npy")
parameters = inspect.signature(module.run).parameters
missing = [p for p in parameters if p not in known and parameters[p].default is inspect.Parameter.empty
           and parameters[p].kind in (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)]
if missing:
    sys.exit("run() has the parameter " + missing[0] + ", which is no input, scalar or axis")
result = module.run(**{p: known[p] for p in parameters if p in known})
if isinstance(result, dict):
    values = [result[o["name"]] for o in job["outputs"]]
elif isinstance(result, (tuple, list)):
    values = list(result)
else:
    values = [result]
if len(values) != len(job["outputs"]):
    sys.exit(f"run() returned {len(values)} values, the problem has {len(job['outputs'])} outputs")
for output, value in zip(job["outputs"], values):
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        value = value.double().numpy() if value.is_floating_point() else value.numpy()
    array = np.ascontiguousarray(value, dtype=output["dtype"])
    if list(array.shape) != output["shape"]:
        sys.exit(f"output {output['name']} has the shape {list(array.shape)}, the problem says {output['shape']}")
    np.save(f"{sys.argv[1]}/{output['name']}.npy", array)
)PY";

Error failed(Sentence message, const std::string& file, ErrorKind kind = ErrorKind::definition) {
  return {kind, "reference_failed", std::move(message), {}, file, 0};
}

/// numpy has no bfloat16 and no float8: those go as float32.
bool numpy_has(DType dtype) {
  return dtype != DType::bfloat16 && dtype != DType::float8_e4m3fn && dtype != DType::float8_e5m2;
}

std::string numpy_code(DType dtype) {
  if (dtype == DType::boolean) return "|b1";
  const char kind = is_floating(dtype) ? 'f' : is_signed(dtype) ? 'i' : 'u';
  return (size_of(dtype) == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(size_of(dtype));
}

/// Format 1.0: magic, length, a Python dictionary padded so that data start at a multiple of 64.
Result<void> write_npy(const fs::path& path, DType dtype, const std::vector<std::int64_t>& extents,
                       std::span<const std::byte> data) {
  std::string shape;
  for (const std::int64_t extent : extents) shape += std::to_string(extent) + ",";
  std::string header =
      "{'descr': '" + numpy_code(dtype) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::ofstream file(path, std::ios::binary);
  const auto length = static_cast<std::uint16_t>(header.size());
  file.write("\x93NUMPY\x01\x00", 8);
  file.write(reinterpret_cast<const char*>(&length), 2);
  file << header;
  file.write(reinterpret_cast<const char*>(data.data()), static_cast<std::streamsize>(data.size()));
  file.flush();
  if (!file)
    return failed(say("the inputs for the Python reference cannot be written to {}", path.string()), {},
                  ErrorKind::component);
  return {};
}

class PythonReference final : public Reference {
 public:
  PythonReference(const problem::BoundProblem& problem, const device::LaunchOptions& options, fs::path script,
                  fs::path folder)
      : problem_(problem),
        options_(options),
        script_(std::move(script)),
        folder_(std::move(folder)),
        values_(problem.outputs.size()) {}
  ~PythonReference() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  Result<void> compute(Inputs& inputs) override {
    if (auto written = write_job(inputs); !written) return written;
    if (auto ran = run_python(); !ran) return ran;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const problem::BoundTensor& tensor = problem_.outputs[i];
      values_[i].resize(static_cast<std::size_t>(tensor.elements) * size_of(dtype(i)));
      auto read = problem::read_npy((folder_ / (tensor.name + ".npy")).string(), dtype(i), tensor.extents,
                                    values_[i]);
      if (!read) return read.error();
    }
    return {};
  }

  DType dtype(std::size_t output) const override {
    const DType own = problem_.outputs[output].dtype;
    return is_floating(own) ? DType::float64 : own;
  }

  Result<void> read(std::size_t output, std::int64_t first, std::span<std::byte> data) override {
    const std::size_t offset = static_cast<std::size_t>(first) * size_of(dtype(output));
    std::memcpy(data.data(), values_[output].data() + offset, data.size());
    return {};
  }

 private:
  Result<void> write_job(Inputs& inputs) {
    Json job{{"file", script_.string()},
             {"inputs", Json::array()},
             {"outputs", Json::array()},
             {"numbers", Json::object()}};
    for (std::size_t i = 0; i < problem_.inputs.size(); ++i) {
      const problem::BoundTensor& tensor = problem_.inputs[i];
      job["inputs"].push_back(tensor.name);
      const fs::path path = folder_ / (tensor.name + ".npy");
      Result<void> written;
      if (numpy_has(tensor.dtype)) {
        written = write_npy(path, tensor.dtype, tensor.extents, inputs.host(i));
      } else {
        std::vector<std::byte> wide(static_cast<std::size_t>(tensor.elements) * 4);
        for (std::size_t at = 0; at < static_cast<std::size_t>(tensor.elements); ++at)
          store_from_double(DType::float32, wide, at, load_as_double(tensor.dtype, inputs.host(i), at));
        written = write_npy(path, DType::float32, tensor.extents, wide);
      }
      if (!written) return written;
    }
    for (std::size_t i = 0; i < problem_.outputs.size(); ++i) {
      const problem::BoundTensor& tensor = problem_.outputs[i];
      job["outputs"].push_back(
          {{"name", tensor.name}, {"dtype", numpy_code(dtype(i))}, {"shape", tensor.extents}});
    }
    for (const problem::BoundScalar& scalar : problem_.scalars) {
      if (is_floating(scalar.dtype))
        job["numbers"][scalar.name] = scalar.value;
      else
        job["numbers"][scalar.name] = static_cast<std::int64_t>(scalar.value);
    }
    for (const auto& [axis, value] : problem_.axes) job["numbers"][axis] = value;
    return write_file(folder_ / "job.json", job.dump());
  }

  Result<void> run_python() {
    const fs::path log = folder_ / "log";
    const auto ended = run_child({"python3", "-c", kDriver, folder_.string()}, log,
                                 options_.time_limit_seconds, options_.stop);
    if (!ended) return ended.error();
    if (ended->how == ChildEnd::How::stopped)
      return Error{ErrorKind::cancelled, "cancelled", say("The Python reference was stopped."), {}, {}, 0};
    if (ended->how == ChildEnd::How::timed_out) return too_slow();
    if (ended->status == 0) return {};
    if (ended->status == 127)
      return failed(say("python3 is not on this machine"), script_.string(), ErrorKind::component);
    const auto said = read_file(log);
    std::string tail(said ? trim(*said) : std::string_view());
    tail = tail.substr(tail.rfind('\n') == std::string::npos ? 0 : tail.rfind('\n') + 1);
    return failed(say("the Python reference failed: {}", tail.empty() ? say("no message") : Sentence(tail)),
                  script_.string());
  }

  Error too_slow() const {
    char limit[32];
    std::snprintf(limit, sizeof limit, "%g s", options_.time_limit_seconds);
    Error error =
        failed(say("the Python reference took longer than the time limit of {} and was ended", limit),
               script_.string());
    error.code = "reference_timeout";
    error.hint = say("allow more seconds by --time-limit, or choose a smaller workload");
    return error;
  }

  const problem::BoundProblem& problem_;
  device::LaunchOptions options_;
  fs::path script_, folder_;
  std::vector<std::vector<std::byte>> values_;
};

}  // namespace

Result<std::unique_ptr<Reference>> python_reference(const problem::BoundProblem& problem, Inputs& inputs,
                                                    const device::LaunchOptions& options) {
  const fs::path script = fs::path(problem.folder) / problem.reference_file;
  std::error_code error;
  if (!fs::is_regular_file(script, error))
    return failed(say("there is no {} in the problem's folder", problem.reference_file), script.string());
  std::string folder = (fs::temp_directory_path(error) / "ridge-reference-XXXXXX").string();
  if (mkdtemp(folder.data()) == nullptr)
    return failed(say("no folder for the Python reference can be made: {}", folder), {},
                  ErrorKind::component);
  for (std::size_t i = 0; i < problem.inputs.size(); ++i) inputs.need_on_host(i);
  return std::unique_ptr<Reference>(std::make_unique<PythonReference>(problem, options, script, folder));
}

}  // namespace ridge::verify

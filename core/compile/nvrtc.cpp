// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <nvrtc.h>

namespace ridge::compile {

struct Nvrtc::Functions {
  decltype(&nvrtcVersion) version;
  decltype(&nvrtcGetNumSupportedArchs) architecture_count;
  decltype(&nvrtcGetSupportedArchs) architectures;
  decltype(&nvrtcGetErrorString) error_string;
  decltype(&nvrtcCreateProgram) create;
  decltype(&nvrtcDestroyProgram) destroy;
  decltype(&nvrtcAddNameExpression) add_name;
  decltype(&nvrtcGetLoweredName) lowered_name;
  decltype(&nvrtcCompileProgram) compile;
  decltype(&nvrtcGetProgramLogSize) log_size;
  decltype(&nvrtcGetProgramLog) log;
  decltype(&nvrtcGetPTXSize) ptx_size;
  decltype(&nvrtcGetPTX) ptx;
  decltype(&nvrtcGetCUBINSize) cubin_size;
  decltype(&nvrtcGetCUBIN) cubin;

  /// The name of the first symbol that the library lacks, or null.
  const char* resolve(void* library) {
    const char* missing = nullptr;
    const auto bind = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      if (!function && !missing) missing = name;
    };
    bind(version, "nvrtcVersion");
    bind(architecture_count, "nvrtcGetNumSupportedArchs");
    bind(architectures, "nvrtcGetSupportedArchs");
    bind(error_string, "nvrtcGetErrorString");
    bind(create, "nvrtcCreateProgram");
    bind(destroy, "nvrtcDestroyProgram");
    bind(add_name, "nvrtcAddNameExpression");
    bind(lowered_name, "nvrtcGetLoweredName");
    bind(compile, "nvrtcCompileProgram");
    bind(log_size, "nvrtcGetProgramLogSize");
    bind(log, "nvrtcGetProgramLog");
    bind(ptx_size, "nvrtcGetPTXSize");
    bind(ptx, "nvrtcGetPTX");
    bind(cubin_size, "nvrtcGetCUBINSize");
    bind(cubin, "nvrtcGetCUBIN");
    return missing;
  }
};

namespace {

template <class Size, class Get>
std::string fetch(nvrtcProgram program, Size size, Get get) {
  std::size_t bytes = 0;
  if (size(program, &bytes) != NVRTC_SUCCESS || bytes == 0) return {};
  std::string data(bytes, '\0');
  if (get(program, data.data()) != NVRTC_SUCCESS) return {};
  return data;
}

void cut_terminator(std::string& text) {
  while (!text.empty() && text.back() == '\0') text.pop_back();
}

std::vector<const char*> pointers(const std::vector<std::string>& texts) {
  std::vector<const char*> result;
  for (const std::string& text : texts) result.push_back(text.c_str());
  return result;
}

}  // namespace

namespace {

/// NVRTC opens the library of its built-in functions by name alone. Where its folder is none of the loader's
/// (NVIDIA's wheels), it finds only what is loaded already.
void load_builtins(const std::filesystem::path& nvrtc) {
  std::error_code error;
  const auto folder = std::filesystem::weakly_canonical(nvrtc, error).parent_path();
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so"))
      dlopen(entry.path().c_str(), RTLD_NOW | RTLD_LOCAL);
}

}  // namespace

Nvrtc::Nvrtc() : call_(std::make_unique<Functions>()) {}

Nvrtc::~Nvrtc() = default;

Result<std::unique_ptr<Nvrtc>> Nvrtc::load(const std::filesystem::path& path) {
  std::unique_ptr<Nvrtc> nvrtc(new Nvrtc);
  // Never unloaded: each time it would leave memory behind that nobody could find again.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char* why = dlerror();
    return Error{ErrorKind::component, "nvrtc_missing",
                 say("NVRTC could not be loaded: {}", why ? std::string(why) : path.string()),
                 say("Install a CUDA toolkit 12.9 or newer and set CUDA_HOME to its folder")};
  }
  if (const char* missing = nvrtc->call_->resolve(library))
    return Error{ErrorKind::component, "nvrtc_old",
                 say("{} has no {}: it is too old or no NVRTC", path.string(), missing),
                 say("Use a CUDA toolkit 12.9 or newer")};
  load_builtins(path);
  const Functions& call = *nvrtc->call_;
  int count = 0;
  if (call.version(&nvrtc->major_, &nvrtc->minor_) != NVRTC_SUCCESS ||
      call.architecture_count(&count) != NVRTC_SUCCESS)
    return Error{ErrorKind::component, "nvrtc_broken", say("{} does not answer", path.string()),
                 say("Reinstall the CUDA toolkit")};
  nvrtc->architectures_.resize(static_cast<std::size_t>(count));
  if (count > 0) call.architectures(nvrtc->architectures_.data());
  return nvrtc;
}

Compilation Nvrtc::compile(const Program& source) const {
  std::vector<std::string> names, texts;
  for (const auto& [name, text] : source.headers) {
    names.push_back(name);
    texts.push_back(text);
  }
  const std::vector<const char*> header_names = pointers(names), header_texts = pointers(texts);
  std::vector<const char*> options = pointers(source.options);
  // Its own cache, which works where there is a driver, gives the code without what ptxas said of it.
  options.push_back("--no-cache");

  Compilation result;
  nvrtcProgram program = nullptr;
  nvrtcResult status =
      call_->create(&program, source.text.c_str(), source.name.c_str(), static_cast<int>(names.size()),
                    header_texts.data(), header_names.data());
  if (status != NVRTC_SUCCESS) {
    result.result = call_->error_string(status);
    result.log = "nvrtc: error: " + result.result;
    return result;
  }
  for (const std::string& expression : source.name_expressions) call_->add_name(program, expression.c_str());
  status = call_->compile(program, static_cast<int>(options.size()), options.data());
  result.ok = status == NVRTC_SUCCESS;
  result.bad_option = status == NVRTC_ERROR_INVALID_OPTION;
  result.result = call_->error_string(status);
  result.log = fetch(program, call_->log_size, call_->log);
  cut_terminator(result.log);
  if (result.ok) {
    result.ptx = fetch(program, call_->ptx_size, call_->ptx);
    cut_terminator(result.ptx);
    result.cubin = fetch(program, call_->cubin_size, call_->cubin);
    for (const std::string& expression : source.name_expressions) {
      const char* lowered = nullptr;
      if (call_->lowered_name(program, expression.c_str(), &lowered) == NVRTC_SUCCESS && lowered)
        result.lowered.emplace_back(expression, lowered);
    }
  }
  call_->destroy(&program);
  return result;
}

}  // namespace ridge::compile

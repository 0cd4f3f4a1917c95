// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/assemble.h"

#include <dlfcn.h>

#include "base/files.h"
#include "compile/tool.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr const char* kInputName = "kernel.ptx";  ///< what the assembler's messages call its input

Error failed(Sentence message, Sentence hint = {}) {
  return {ErrorKind::component, "assembler_failed", std::move(message), std::move(hint)};
}

Result<Assembly> by_ptxas(const Assembler& assembler, const std::string& arch, const std::string& ptx,
                          const std::vector<std::string>& options, bool line_info) {
  const TemporaryFile input(ptx), output("");
  if (!input.whole() || !output.whole())
    return failed(say("The PTX could not be written to a temporary file."), say("Free some disk space"));
  std::vector<std::string> arguments{"-arch=" + arch, "-v"};
  if (line_info) arguments.emplace_back("--generate-line-info");
  arguments.insert(arguments.end(), options.begin(), options.end());
  arguments.insert(arguments.end(), {input.path(), "-o", output.path()});
  auto outcome = run_tool(assembler.ptxas, std::move(arguments));
  if (!outcome) return failed(outcome.error().message, outcome.error().hint);
  Assembly assembly{outcome->ok, {}, std::move(outcome->text)};
  for (std::size_t at = 0; (at = assembly.log.find(input.path(), at)) != std::string::npos;)
    assembly.log.replace(at, input.path().size(), kInputName);
  if (!assembly.ok) return assembly;
  auto cubin = read_file(output.path());
  if (!cubin) return cubin.error();
  assembly.cubin = *std::move(cubin);
  return assembly;
}

/// What is used of nvJitLink.h, which NVIDIA's wheels for NVRTC do not bring.
struct JitLink {
  using Handle = void*;
  static constexpr int kPtx = 2;  // NVJITLINK_INPUT_PTX
  int (*create)(Handle*, std::uint32_t, const char**) = nullptr;
  int (*destroy)(Handle*) = nullptr;
  int (*add)(Handle, int, const void*, std::size_t, const char*) = nullptr;
  int (*complete)(Handle) = nullptr;
  int (*cubin_size)(Handle, std::size_t*) = nullptr;
  int (*cubin)(Handle, void*) = nullptr;
  int (*error_size)(Handle, std::size_t*) = nullptr;
  int (*error)(Handle, char*) = nullptr;
  int (*info_size)(Handle, std::size_t*) = nullptr;
  int (*info)(Handle, char*) = nullptr;

  bool load(const std::string& path) {
    // Never unloaded, as NVRTC.
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return false;
    const auto bind = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
      return function != nullptr;
    };
    return bind(create, "nvJitLinkCreate") && bind(destroy, "nvJitLinkDestroy") &&
           bind(add, "nvJitLinkAddData") && bind(complete, "nvJitLinkComplete") &&
           bind(cubin_size, "nvJitLinkGetLinkedCubinSize") && bind(cubin, "nvJitLinkGetLinkedCubin") &&
           bind(error_size, "nvJitLinkGetErrorLogSize") && bind(error, "nvJitLinkGetErrorLog") &&
           bind(info_size, "nvJitLinkGetInfoLogSize") && bind(info, "nvJitLinkGetInfoLog");
  }

  template <class Size, class Get>
  static std::string fetch(Handle handle, Size size, Get get) {
    std::size_t bytes = 0;
    if (size(handle, &bytes) != 0 || bytes == 0) return {};
    std::string data(bytes, '\0');
    return get(handle, data.data()) == 0 ? data : std::string();
  }
  static std::string text(std::string data) {
    while (!data.empty() && data.back() == '\0') data.pop_back();
    return data;
  }
};

Result<Assembly> by_jit_link(const Assembler& assembler, const std::string& arch, const std::string& ptx,
                             const std::vector<std::string>& options, bool line_info) {
  JitLink call;
  if (!call.load(assembler.nvjitlink.string()))
    return failed(say("{} could not be loaded.", assembler.nvjitlink.string()),
                  say("Reinstall the CUDA toolkit"));
  std::vector<std::string> words{"-arch=" + arch, "-verbose", "-no-cache"};  // the cache keeps no log
  if (line_info) words.emplace_back("-lineinfo");
  for (const std::string& option : options) words.push_back("-Xptxas=" + option);
  std::vector<const char*> pointers;
  for (const std::string& word : words) pointers.push_back(word.c_str());
  JitLink::Handle handle = nullptr;
  if (call.create(&handle, static_cast<std::uint32_t>(pointers.size()), pointers.data()) != 0)
    return failed(say("nvJitLink does not take {} and the source's options.", arch),
                  say("Install cuda-nvcc of the toolkit for its ptxas"));
  Assembly assembly;
  assembly.ok = call.add(handle, JitLink::kPtx, ptx.c_str(), ptx.size() + 1, kInputName) == 0 &&
                call.complete(handle) == 0;
  assembly.log = JitLink::text(JitLink::fetch(handle, call.error_size, call.error)) +
                 JitLink::text(JitLink::fetch(handle, call.info_size, call.info));
  if (assembly.ok) assembly.cubin = JitLink::fetch(handle, call.cubin_size, call.cubin);
  call.destroy(&handle);
  return assembly;
}

}  // namespace

Assembler assembler_of(const Toolkit& toolkit) {
  Assembler assembler;
  std::error_code ignored;
  // ptxas comes first: nvJitLink links, and code that could be linked with other code has another shape.
  if (const fs::path ptxas = toolkit.root / "bin/ptxas"; fs::exists(ptxas, ignored)) {
    assembler.name = "ptxas " + toolkit.version;
    assembler.ptxas = ptxas;
    return assembler;
  }
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
    for (const char* library : {"libnvJitLink.so.13", "libnvJitLink.so.12"})
      if (assembler.name.empty() && fs::exists(toolkit.root / folder / library, ignored)) {
        assembler.name = "nvJitLink " + toolkit.version;
        assembler.nvjitlink = toolkit.root / folder / library;
      }
  return assembler;
}

Result<Assembly> assemble(const Assembler& assembler, const std::string& arch, const std::string& ptx,
                          const std::vector<std::string>& options, bool line_info) {
  return assembler.ptxas.empty() ? by_jit_link(assembler, arch, ptx, options, line_info)
                                 : by_ptxas(assembler, arch, ptx, options, line_info);
}

}  // namespace ridge::compile

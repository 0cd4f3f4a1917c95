// SPDX-License-Identifier: GPL-3.0-or-later
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>

#include "base/files.h"
#include "base/text.h"
#include "compile/compile.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr int kOldest = 12090;  // CUDA 12.9, as CUDA_VERSION writes it
constexpr std::array<const char*, 2> kLibraries{"libnvrtc.so.13", "libnvrtc.so.12"};

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

/// CUDA_VERSION of cuda.h: 13000; 0 when there is no such header.
int header_version(const fs::path& include) {
  const Result<std::string> text = read_file(include / "cuda.h");
  if (!text) return 0;
  constexpr std::string_view kDefine = "#define CUDA_VERSION ";
  const std::size_t at = text->find(kDefine);
  if (at == std::string::npos) return 0;
  int version = 0;
  std::from_chars(text->data() + at + kDefine.size(), text->data() + text->size(), version);
  return version;
}

fs::path find_nvrtc(const fs::path& root) {
  for (const char* folder : {"lib64", "lib", "targets/x86_64-linux/lib", "lib/x86_64-linux-gnu"})
    for (const char* library : kLibraries)
      if (is_there(root / folder / library)) return root / folder / library;
  return {};
}

fs::path find_nvdisasm(const fs::path& root) {
  if (is_there(root / "bin/nvdisasm")) return root / "bin/nvdisasm";
  const char* path = std::getenv("PATH");
  for (const std::string& folder : split_list(path ? path : "", ':'))
    if (!folder.empty() && is_there(fs::path(folder) / "nvdisasm")) return fs::path(folder) / "nvdisasm";
  return {};
}

/// The toolkit in `root`; `why` says what it lacks.
std::optional<Toolkit> toolkit_in(const fs::path& root, Sentence& why) {
  Toolkit toolkit;
  toolkit.root = root;
  toolkit.nvrtc = find_nvrtc(root);
  if (toolkit.nvrtc.empty()) {
    why = say("no libnvrtc.so.13 or .12");
    return std::nullopt;
  }
  int version = 0;
  for (const char* folder : {"include", "targets/x86_64-linux/include"}) {
    const fs::path include = root / folder;
    // /usr/include holds the host's own headers, which NVRTC must never see.
    if (include == "/usr/include" || !is_there(include / "cuda_fp16.h")) continue;
    version = header_version(include);
    toolkit.include_folders.push_back(include);
    if (is_there(include / "cccl")) toolkit.include_folders.push_back(include / "cccl");
    break;
  }
  // Without headers the library's own name has to do; opening it tells the exact version.
  if (version == 0) version = toolkit.nvrtc.filename() == kLibraries[0] ? 13000 : kOldest;
  if (version < kOldest) {
    why = say("CUDA {}.{} is older than 12.9", version / 1000, version % 1000 / 10);
    return std::nullopt;
  }
  toolkit.version = fmt::format("{}.{}", version / 1000, version % 1000 / 10);
  toolkit.nvdisasm = find_nvdisasm(root);
  return toolkit;
}

/// The folder above the library that the loader finds by name.
std::optional<fs::path> root_of_loader() {
  for (const char* library : kLibraries) {
    void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);  // stays: it is the one that will be used
    if (!handle) continue;
    Dl_info info{};
    void* symbol = dlsym(handle, "nvrtcVersion");
    const bool found = symbol && dladdr(symbol, &info) && info.dli_fname;
    std::optional<fs::path> root;
    std::error_code error;
    if (found) root = fs::weakly_canonical(info.dli_fname, error).parent_path().parent_path();
    if (root) return root;
  }
  return std::nullopt;
}

}  // namespace

Result<Toolkit> find_toolkit() {
  Sentence tried, why;
  const auto note = [&](const std::string& place) {
    const Sentence told = say("{}: {}", place, why);
    tried = tried.empty() ? told : say("{}; {}", tried, told);
  };
  for (const char* variable : {"RIDGE_CUDA_ROOT", "CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (!value || !*value) continue;
    if (std::optional<Toolkit> toolkit = toolkit_in(value, why)) return *toolkit;
    note(fmt::format("{}={}", variable, value));
  }
  for (const fs::path& root : {fs::path("/usr/local/cuda"), cache_folder() / "cuda/nvidia/cu13"}) {
    if (std::optional<Toolkit> toolkit = toolkit_in(root, why)) return *toolkit;
    note(root.string());
  }
  if (const std::optional<fs::path> root = root_of_loader()) {
    if (std::optional<Toolkit> toolkit = toolkit_in(*root, why)) return *toolkit;
    note(root->string());
  }
  return Error{ErrorKind::component, "nvrtc_missing",
               say("No NVRTC of a CUDA toolkit 12.9 or newer was found ({}).", tried),
               say("Run packaging/run.sh, which fetches it, or install a CUDA toolkit and set CUDA_HOME to "
                   "its folder")};
}

}  // namespace ridge::compile

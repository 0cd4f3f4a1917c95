// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "base/system_message.h"
#include "base/text.h"

namespace ridge {
namespace fs = std::filesystem;
namespace {

Error io_error(Phrase<> doing, const fs::path& path, int number) {
  const bool named_wrong = number == ENOENT || number == ENOTDIR || number == EISDIR || number == EACCES ||
                           number == ELOOP || number == ENAMETOOLONG;
  return {named_wrong ? ErrorKind::usage : ErrorKind::component,
          "io",
          say("{} {}: {}", doing, path.string(), system_message(number)),
          {},
          path.string(),
          0};
}

/// Closes a descriptor when the scope ends.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return number_; }
  int close() {
    const int result = ::close(number_);
    number_ = -1;
    return result;
  }

 private:
  int number_;
};

fs::path environment_path(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? fs::path{} : fs::path{value};
}

/// Beside the installed program (bin/../share/ridgepoint/NAME), else in the source tree the program was built
/// from.
fs::path data_folder(const char* variable, const char* name) {
  if (fs::path set = environment_path(variable); !set.empty()) return set;
  std::error_code ignored;
  const fs::path installed = program_path().parent_path().parent_path() / "share" / "ridgepoint" / name;
  if (fs::is_directory(installed, ignored)) return installed;
  return fs::path{RIDGE_SOURCE_DIR} / name;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uintmax_t limit) {
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.get() < 0) return io_error(phrase("cannot read"), path, errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return io_error(phrase("cannot read"), path, errno);
  if (!S_ISREG(status.st_mode))
    return Error{ErrorKind::usage,   "no_file",     say("{} is no regular file", path.string()),
                 say("name a file"), path.string(), 0};
  if (static_cast<std::uintmax_t>(status.st_size) > limit)
    return Error{
        ErrorKind::usage,
        "too_large",
        say("{} has {}; the limit is {}", path.string(), human_bytes(static_cast<double>(status.st_size)),
            human_bytes(static_cast<double>(limit))),
        say("name a smaller file"),
        path.string(),
        0};
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t got = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return io_error(phrase("cannot read"), path, errno);
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  bytes.resize(done);
  return bytes;
}

namespace {

/// Devices, pipes and sockets are written to, never replaced.
Result<void> write_into(const fs::path& path, std::string_view bytes) {
  Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY)};
  if (file.get() < 0) return io_error(phrase("cannot write"), path, errno);
  while (!bytes.empty()) {
    const ssize_t put = ::write(file.get(), bytes.data(), bytes.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return io_error(phrase("cannot write"), path, errno);
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  if (file.close() != 0) return io_error(phrase("cannot write"), path, errno);
  return {};
}

}  // namespace

Result<void> write_file(const fs::path& given, std::string_view bytes) {
  std::error_code failure;
  const fs::file_status status = fs::status(given, failure);
  if (fs::exists(status) && !fs::is_regular_file(status) && !fs::is_directory(status))
    return write_into(given, bytes);
  // A link stays one: what it leads to is replaced.
  fs::path path =
      fs::is_symlink(fs::symlink_status(given, failure)) ? fs::weakly_canonical(given, failure) : given;
  if (path.empty()) path = given;
  failure.clear();
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path{"."};
  fs::create_directories(folder, failure);
  if (failure) return io_error(phrase("cannot make the folder"), folder, failure.value());
  std::string temporary = (folder / ("." + path.filename().string() + ".XXXXXX")).string();
  Descriptor file{::mkstemp(temporary.data())};
  if (file.get() < 0) return io_error(phrase("cannot write in"), folder, errno);
  const auto fail = [&](Phrase<> doing) {
    const int number = errno;
    ::unlink(temporary.c_str());
    return io_error(doing, path, number);
  };
  struct stat old {};
  const mode_t mode = ::stat(path.c_str(), &old) == 0 ? (old.st_mode & 07777u) : 0644u;
  if (::fchmod(file.get(), mode) != 0) return fail(phrase("cannot write"));
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t put = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail(phrase("cannot write"));
    done += static_cast<std::size_t>(put);
  }
  if (::fsync(file.get()) != 0 || file.close() != 0) return fail(phrase("cannot write"));
  if (::rename(temporary.c_str(), path.c_str()) != 0) return fail(phrase("cannot replace"));
  return {};
}

fs::path program_path() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

fs::path resources_folder() {
  return data_folder("RIDGE_RESOURCES", "resources");
}
fs::path kernels_folder() {
  return data_folder("RIDGE_KERNELS", "kernels");
}

fs::path cache_folder() {
  if (fs::path set = environment_path("RIDGE_CACHE"); !set.empty()) return set;
  if (fs::path base = environment_path("XDG_CACHE_HOME"); base.is_absolute()) return base / "ridgepoint";
  if (fs::path home = environment_path("HOME"); home.is_absolute()) return home / ".cache" / "ridgepoint";
  return fs::temp_directory_path() / ("ridgepoint-" + std::to_string(::getuid()));
}

}  // namespace ridge

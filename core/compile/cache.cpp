// SPDX-License-Identifier: GPL-3.0-or-later
#include "compile/cache.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "base/files.h"
#include "base/hashing.h"

namespace ridge::compile {

namespace {
namespace fs = std::filesystem;

constexpr std::string_view kMagic = "ridge-compile 1 ";
constexpr std::size_t kHashLength = 32;
constexpr std::uintmax_t kLargestEntry = 256u << 20;

/// Replaces the file as a whole. Not synced to the disk, for that costs more than compiling again: what a
/// crash of the machine leaves behind fails its checksum.
bool replace_file(const fs::path& file, const std::string& bytes) {
  std::error_code error;
  fs::create_directories(file.parent_path(), error);
  const fs::path temporary =
      file.parent_path() / ("." + file.filename().string() + "." + std::to_string(::getpid()));
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (out) fs::rename(temporary, file, error);
  if (out && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace

Cache::Cache(fs::path folder, std::uintmax_t limit)
    : folder_(std::move(folder)), limit_(limit), unchecked_(limit) {}

fs::path Cache::file_of(const std::string& key) const {
  return folder_ / key.substr(0, 2) / key;
}

std::optional<CompiledKernel> Cache::load(const std::string& key) const {
  const fs::path file = file_of(key);
  const Result<std::string> bytes = read_file(file, kLargestEntry);
  const std::size_t head = kMagic.size() + kHashLength + 1;
  if (!bytes || bytes->size() < head || bytes->compare(0, kMagic.size(), kMagic) != 0) return std::nullopt;
  const std::string_view payload = std::string_view(*bytes).substr(head);
  if (bytes->compare(kMagic.size(), kHashLength, content_hash(payload)) != 0) return std::nullopt;
  const Result<Json> json = parse_json(payload);
  if (!json) return std::nullopt;
  Result<CompiledKernel> kernel = compiled_kernel_from_json(*json);
  if (!kernel || !kernel->ok || kernel->key != key) return std::nullopt;
  std::error_code ignored;
  fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);  // used now: the last to be removed
  return *std::move(kernel);
}

void Cache::store(const std::string& key, const CompiledKernel& kernel) {
  const std::string payload = to_json(kernel).dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string entry = std::string(kMagic) + content_hash(payload) + "\n" + payload;
  if (entry.size() > std::min(limit_, kLargestEntry) || !replace_file(file_of(key), entry)) return;
  unchecked_ += entry.size();
  if (unchecked_ < limit_ / 16) return;
  unchecked_ = 0;
  trim_to_limit();
}

void Cache::trim_to_limit() const {
  struct Found {
    fs::path file;
    fs::file_time_type time;
    std::uintmax_t size;
  };
  std::vector<Found> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator it(folder_, error), end; !error && it != end; it.increment(error)) {
    std::error_code gone;  // another process may be trimming as well
    if (!it->is_regular_file(gone)) continue;
    const Found found{it->path(), it->last_write_time(gone), it->file_size(gone)};
    if (gone) continue;
    total += found.size;
    entries.push_back(found);
  }
  std::sort(entries.begin(), entries.end(), [](const Found& a, const Found& b) { return a.time < b.time; });
  for (const Found& entry : entries) {
    if (total <= limit_) break;
    if (fs::remove(entry.file, error)) total -= entry.size;
  }
}

}  // namespace ridge::compile

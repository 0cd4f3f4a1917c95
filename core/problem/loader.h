// SPDX-License-Identifier: GPL-3.0-or-later
// Reads a problem.toml into a Problem. Everything is read before anything is judged, so that all faults come
// at once; what has a fault of its own is left out of later checks, so that one slip is reported once.
#pragma once

#include <functional>
#include <map>
#include <set>

#include "problem/checks.h"
#include "problem/problem.h"
#include "problem/toml_reader.h"

namespace ridge::problem {

/// Workload names become names of folders (recorded references) and of rows in tables.
bool is_plain_name(const std::string& name);

class Loader {
 public:
  Loader(std::filesystem::path folder, std::string file, Diagnostics& diagnostics);

  /// Nothing when the file has an error; all of them are in the diagnostics then.
  std::optional<Problem> run(const toml::table& root);

 private:
  /// Calls `read` for each table of an array of tables.
  void each(TableReader& reader, const std::string& key, const std::function<void(TableReader&)>& read);
  static std::string name_in(TableReader& entry);
  /// Claims a name of an axis, tensor or scalar. False: it is no identifier or already taken.
  bool claim(const std::string& name, Phrase<> as, int line);
  void read_head(TableReader& reader);
  void read_title(TableReader& head);
  void read_model(TableReader& reader);
  void read_verify(TableReader& reader);
  void read_reference(TableReader& reader);

  // load_axes.cpp
  void read_axes(const toml::table& table);
  bool read_axis(TableReader& reader, const std::string& name);
  /// Whether all names of an expression are axes. An axis with a fault of its own counts as known.
  bool check_names(const Result<std::vector<std::string>>& names, const std::string& expression,
                   const Sentence& what, int line);
  bool check_whole(const std::string& expression, const Sentence& what, int line);
  bool check_real(const std::string& expression, const Sentence& what, int line);
  /// Reports each circle of axes once, at its first member in the file.
  void find_circles();
  /// Depth first without recursion on `needs`: paths are as long as there are axes.
  void follow(const std::string& start, const std::map<std::string, std::vector<std::string>>& needs,
              std::vector<std::string>& path, std::set<std::string>& done);
  void report_circle(const std::vector<std::string>& circle);

  // load_tensors.cpp
  std::optional<DType> read_dtype(TableReader& entry);
  void read_scalar(TableReader& entry);
  bool read_shape(TableReader& entry, Tensor& tensor);
  /// The expressions of an init name axes only, and its file is there.
  bool check_init(const Init& init, const Sentence& what, int line);
  void read_tensor(TableReader& entry, bool input);
  bool check_from(TableReader& entry, const Tensor& tensor);

  // load_workloads.cpp
  void read_workload(TableReader& entry);
  bool check_workload_name(const std::string& name, int line);
  bool read_workload_inits(const toml::table& inits, TableReader& entry, Workload& workload);
  bool read_workload_scalars(const toml::table& scalars, TableReader& entry, Workload& workload);
  void bind_workloads();
  void check_recorded();

  Problem problem_;
  Faults faults_;
  Diagnostics& diagnostics_;
  std::map<std::string, Phrase<>> taken_;  ///< name -> "axis", "input"…
  Names axis_names_;                       ///< of all axes; the numbers have no meaning
  std::set<std::string> unsound_axes_;
  std::map<std::string, int> lines_;  ///< of the reference's and the workloads' files
  Problem sound_;                     ///< what is fit to be bound
};

}  // namespace ridge::problem

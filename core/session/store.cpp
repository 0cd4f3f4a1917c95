// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/store.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "base/hashing.h"
#include "session/database.h"

namespace ridge::session {
namespace {

namespace fs = std::filesystem;

std::string axes_text(const std::map<std::string, std::int64_t>& axes) {
  Json json = Json::object();
  for (const auto& [name, value] : axes) json[name] = json_integer(value);
  return dump(json);
}

/// Runs on two GPUs of one kind compare; the uuid is kept in the document.
const std::string& device_key(const device::DeviceInfo& device) {
  return device.name.empty() ? device.id : device.name;
}

constexpr int kSearched = 7;  ///< columns that runs are searched by

/// time, problem, workload, axes, device, kernel, status
std::array<std::string, kSearched> searched_columns(const Run& run) {
  return {run.time,
          run.problem,
          run.workload,
          axes_text(run.axes),
          device_key(run.device),
          run.kernel,
          std::string(hardware::name_of(run.verdict.status))};
}

static_assert(std::endian::native == std::endian::little, "samples are stored little-endian");

void bind_doubles(SQLite::Statement& statement, int index, const std::vector<double>& values) {
  statement.bind(index, static_cast<const void*>(values.data()),
                 static_cast<int>(values.size() * sizeof(double)));
}

std::string blob_text(const SQLite::Column& column) {
  return column.isNull() ? std::string()
                         : std::string(static_cast<const char*>(column.getBlob()),
                                       static_cast<std::size_t>(column.getBytes()));
}

struct Series {
  const char* name;
  std::optional<measure::Sampled> measure::Timing::*member;
};
constexpr std::array<Series, 3> kSeries{Series{"cold", &measure::Timing::cold},
                                        Series{"warm", &measure::Timing::warm},
                                        Series{"launch_inclusive", &measure::Timing::launch_inclusive}};

/// The row id in a run's id, or nothing when it cannot be one of ours.
std::optional<std::int64_t> row_of(const std::string& id) {
  std::int64_t row = 0;
  const auto [end, problem] = std::from_chars(id.data(), id.data() + id.size(), row);
  if (problem != std::errc() || end != id.data() + id.size() || row < 1) return std::nullopt;
  return row;
}

/// What `document` holds: the run less its texts, samples, star and notes, which have columns and tables of
/// their own.
std::string document_of(Run run) {
  run.id.clear();
  run.source.text.clear();
  run.ptx.clear();
  run.baseline = false;
  run.notes.clear();
  if (run.timing)
    for (const Series& series : kSeries)
      if (auto& sampled = (*run.timing).*series.member) {
        sampled->samples_us.clear();
        sampled->sm_mhz.clear();
      }
  return dump(to_json(run, true));
}

class SqliteStore final : public Store {
 public:
  SqliteStore(fs::path file, Connection database) : file_(std::move(file)), database_(std::move(database)) {}

  Result<std::vector<Run>> runs(Diagnostics* damaged) const override;
  Result<std::string> add(const Run& run) override;
  Result<void> remove(const std::string& run_id) override;
  Result<void> set_baseline(const std::string& run_id, bool starred) override;
  Result<void> set_notes(const std::string& run_id, const std::string& notes) override;
  Result<std::string> title() const override { return meta("title"); }
  Result<void> set_title(const std::string& title) override { return set_meta("title", title); }
  Result<Json> window_state() const override;
  Result<void> set_window_state(const Json& state) override { return set_meta("window_state", dump(state)); }
  const fs::path& file() const override { return file_; }

 private:
  Result<std::string> meta(const std::string& key) const;
  Result<void> set_meta(const std::string& key, const std::string& value);
  /// One transaction that takes the write lock at once, so that it waits for other writers instead of failing
  /// midway.
  Result<void> write(const std::function<void()>& change);
  /// The same for the row of a run, which must exist.
  Result<void> change_run(const std::string& run_id, const std::function<void(std::int64_t row)>& change);
  void put_source(const std::string& hash, const std::string& text);
  void put_samples(std::int64_t row, const measure::Timing& timing);
  void unstar_rivals(std::int64_t row);
  /// What does not fit is left out; each such fault is a sentence.
  std::vector<Sentence> read_samples(std::int64_t row, measure::Timing& timing) const;
  Error unreadable(std::int64_t row, const Error& why) const;
  Diagnostic left_out(std::int64_t row, const Sentence& what) const;

  fs::path file_;
  Connection database_;
};

Result<void> SqliteStore::write(const std::function<void()>& change) {
  try {
    SQLite::Transaction transaction(*database_, SQLite::TransactionBehavior::IMMEDIATE);
    change();
    transaction.commit();
    return {};
  } catch (const SQLite::Exception& exception) {
    return explain(exception, file_);
  }
}

Result<void> SqliteStore::change_run(const std::string& run_id,
                                     const std::function<void(std::int64_t row)>& change) {
  bool found = false;
  const Result<void> written = write([&] {
    const auto row = row_of(run_id);
    if (!row) return;
    SQLite::Statement query(*database_, "SELECT 1 FROM runs WHERE id = ?");
    query.bind(1, *row);
    found = query.executeStep();
    query.reset();
    if (found) change(*row);
  });
  if (written && !found)
    return Error{ErrorKind::usage,
                 "unknown_run",
                 say("The session {} has no run '{}'.", file_.string(), run_id),
                 {},
                 file_.string(),
                 0};
  return written;
}

void SqliteStore::put_source(const std::string& hash, const std::string& text) {
  SQLite::Statement insert(*database_, "INSERT OR IGNORE INTO sources(hash, text) VALUES (?, ?)");
  insert.bind(1, hash);
  insert.bind(2, static_cast<const void*>(text.data()), static_cast<int>(text.size()));
  insert.exec();
}

void SqliteStore::put_samples(std::int64_t row, const measure::Timing& timing) {
  SQLite::Statement insert(*database_,
                           "INSERT INTO samples(run_id, series, quantity, data) VALUES (?, ?, ?, ?)");
  const auto put = [&](const char* series, const char* quantity, const std::vector<double>& values) {
    if (values.empty()) return;
    insert.reset();
    insert.bind(1, row);
    insert.bind(2, std::string(series));
    insert.bind(3, std::string(quantity));
    bind_doubles(insert, 4, values);
    insert.exec();
  };
  for (const Series& series : kSeries)
    if (const auto& sampled = timing.*series.member) {
      put(series.name, "us", sampled->samples_us);
      put(series.name, "sm_mhz", sampled->sm_mhz);
    }
}

/// The doubles of a samples row, one for each of `n` samples, or what is wrong with them.
Result<std::vector<double>> samples_of(const SQLite::Column& column, const std::string& name, int n) {
  const auto wrong = [](Sentence message) {
    return Error{ErrorKind::definition, "wrong_value", std::move(message), {}, {}, 0};
  };
  if (!column.isBlob()) return wrong(say("its samples {} are no blob", name));
  const auto bytes = static_cast<std::size_t>(column.getBytes());
  const std::size_t needed = static_cast<std::size_t>(n) * sizeof(double);
  if (bytes != needed)
    return wrong(say("its samples {} have {} bytes, and {} of them have {}", name, bytes, n, needed));
  std::vector<double> values(static_cast<std::size_t>(n));
  if (bytes != 0) std::memcpy(values.data(), column.getBlob(), bytes);
  for (const double value : values)
    if (!std::isfinite(value) || value < 0)
      return wrong(say("its samples {} hold what is no time and no clock", name));
  return values;
}

std::vector<Sentence> SqliteStore::read_samples(std::int64_t row, measure::Timing& timing) const {
  std::vector<Sentence> faults;
  SQLite::Statement query(*database_, "SELECT series, quantity, data FROM samples WHERE run_id = ?");
  query.bind(1, row);
  while (query.executeStep()) {
    const std::string series = query.getColumn(0).getString(), quantity = query.getColumn(1).getString();
    const std::string name = "'" + series + " " + quantity + "'";
    const auto known = std::find_if(kSeries.begin(), kSeries.end(),
                                    [&](const Series& candidate) { return series == candidate.name; });
    const bool clocks = quantity == "sm_mhz";
    if (known == kSeries.end() || !(timing.*known->member) || (!clocks && quantity != "us")) {
      faults.push_back(say("its samples {} belong to nothing in its timing", name));
      continue;
    }
    measure::Sampled& sampled = *(timing.*known->member);
    auto values = samples_of(query.getColumn(2), name, sampled.n);
    if (values)
      (clocks ? sampled.sm_mhz : sampled.samples_us) = *std::move(values);
    else
      faults.push_back(values.error().message);
  }
  for (const Series& series : kSeries)  // a clock without its sample says nothing
    if (auto& sampled = timing.*series.member; sampled && sampled->samples_us.empty())
      sampled->sm_mhz.clear();
  return faults;
}

void SqliteStore::unstar_rivals(std::int64_t row) {
  SQLite::Statement update(*database_, R"sql(
UPDATE runs SET baseline = 0 WHERE baseline <> 0 AND id <> ?1 AND
  (problem, workload, device, axes) = (SELECT problem, workload, device, axes FROM runs WHERE id = ?1))sql");
  update.bind(1, row);
  update.exec();
}

Result<std::string> SqliteStore::add(const Run& run) {
  std::int64_t row = 0;
  const Result<void> written = write([&] {
    const std::string source_hash = run.source.text.empty() ? std::string() : content_hash(run.source.text);
    const std::string ptx_hash = run.ptx.empty() ? std::string() : content_hash(run.ptx);
    if (!source_hash.empty()) put_source(source_hash, run.source.text);
    if (!ptx_hash.empty()) put_source(ptx_hash, run.ptx);
    SQLite::Statement insert(*database_, R"sql(
INSERT INTO runs(time, problem, workload, axes, device, kernel, status, baseline, notes, source_hash, ptx_hash, document)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, ''), ?))sql");
    int place = 0;
    for (const std::string& value : searched_columns(run)) insert.bind(++place, value);
    insert.bind(8, run.baseline ? 1 : 0);
    insert.bind(9, run.notes);
    insert.bind(10, source_hash);
    insert.bind(11, ptx_hash);
    insert.bind(12, document_of(run));
    insert.exec();
    row = database_->getLastInsertRowid();
    if (run.timing) put_samples(row, *run.timing);
    if (run.baseline) unstar_rivals(row);
  });
  if (!written) return written.error();
  return std::to_string(row);
}

/// Why a run of the file is left out. The file itself keeps it.
Error SqliteStore::unreadable(std::int64_t row, const Error& why) const {
  const std::string run = std::to_string(row);
  if (why.code == "unknown_word")
    return {ErrorKind::definition,
            why.code,
            say("Run {} of the session {} is of another release and cannot be shown: {}.", run,
                file_.string(), why.message),
            say("Open it with the release that wrote it; this file keeps it as it is."),
            file_.string(),
            0};
  return {ErrorKind::definition,
          "damaged",
          say("The session {} is damaged: its run {} cannot be read. {}", file_.string(), run, why.message),
          say("Restore the file from a copy; its other runs are still there."),
          file_.string(),
          0};
}

Diagnostic SqliteStore::left_out(std::int64_t row, const Sentence& what) const {
  return {Severity::warning,
          file_.string(),
          0,
          0,
          "damaged",
          say("Run {} of the session is damaged: {}. That part is left out.", row, what),
          say("Restore the file from a copy; the rest of the run is shown.")};
}

Result<std::vector<Run>> SqliteStore::runs(Diagnostics* damaged) const {
  try {
    const SQLite::Transaction reading(*database_);
    SQLite::Statement query(*database_, R"sql(
SELECT runs.id, document, baseline, notes, source_hash, kernel.text, ptx_hash, ptx.text,
       time, problem, workload, axes, device, runs.kernel, status FROM runs
LEFT JOIN sources AS kernel ON kernel.hash = source_hash
LEFT JOIN sources AS ptx ON ptx.hash = ptx_hash
ORDER BY runs.id)sql");
    std::vector<Run> runs;
    std::optional<Error> fault;
    while (query.executeStep()) {
      const std::int64_t row = query.getColumn(0).getInt64();
      const auto leave_out = [&](const Sentence& what) {
        if (damaged != nullptr) damaged->push_back(left_out(row, what));
      };
      const Result<Json> document = parse_json(query.getColumn(1).getString());
      Result<Run> run = document ? run_from_json(*document) : document.error();
      if (!run) {
        const Error damage = unreadable(row, run.error());
        if (damaged != nullptr) {
          damaged->push_back(to_diagnostic(damage));
          damaged->back().severity = Severity::warning;
        }
        if (!fault) fault = damage;
        continue;
      }
      run->id = std::to_string(row);
      const auto shown = [](const SQLite::Column& column) { return "'" + column.getString() + "'"; };
      const std::array<std::string, kSearched> searched = searched_columns(*run);
      for (int i = 0; i < kSearched; ++i)
        if (const auto column = query.getColumn(8 + i);
            column.getString() != searched[static_cast<std::size_t>(i)])
          leave_out(say("its column {} holds {}, where the run says '{}'", column.getName(), shown(column),
                        searched[static_cast<std::size_t>(i)]));
      if (const auto star = query.getColumn(2);
          star.isInteger() && (star.getInt64() == 0 || star.getInt64() == 1))
        run->baseline = star.getInt64() == 1;
      else
        leave_out(say("its baseline is {}, and should be 0 or 1", shown(star)));
      if (const auto notes = query.getColumn(3); notes.isText())
        run->notes = notes.getString();
      else
        leave_out(say("its notes are no text"));
      const auto text_of = [&](int hash, const Sentence& what) {
        std::string text = blob_text(query.getColumn(hash + 1));
        if (query.getColumn(hash).isNull() || content_hash(text) == query.getColumn(hash).getString())
          return text;
        leave_out(query.getColumn(hash + 1).isNull() ? say("its {} is missing", what)
                                                     : say("its {} is not what was saved", what));
        return std::string();
      };
      run->source.text = text_of(4, say("source text"));
      run->ptx = text_of(6, "PTX");
      if (run->timing)
        for (const Sentence& what : read_samples(row, *run->timing)) leave_out(what);
      runs.push_back(*std::move(run));
    }
    if (runs.empty() && fault) return *fault;
    return runs;
  } catch (const SQLite::Exception& exception) {
    return explain(exception, file_);
  }
}

Result<void> SqliteStore::remove(const std::string& run_id) {
  return change_run(run_id, [&](std::int64_t row) {
    for (const char* statement : {"DELETE FROM samples WHERE run_id = ?", "DELETE FROM runs WHERE id = ?"}) {
      SQLite::Statement removal(*database_, statement);
      removal.bind(1, row);
      removal.exec();
    }
    database_->exec(
        "DELETE FROM sources WHERE hash NOT IN (SELECT source_hash FROM runs WHERE source_hash IS NOT NULL "
        "UNION SELECT ptx_hash FROM runs WHERE ptx_hash IS NOT NULL)");
  });
}

Result<void> SqliteStore::set_baseline(const std::string& run_id, bool starred) {
  return change_run(run_id, [&](std::int64_t row) {
    SQLite::Statement update(*database_, "UPDATE runs SET baseline = ? WHERE id = ?");
    update.bind(1, starred ? 1 : 0);
    update.bind(2, row);
    update.exec();
    if (starred) unstar_rivals(row);
  });
}

Result<void> SqliteStore::set_notes(const std::string& run_id, const std::string& notes) {
  return change_run(run_id, [&](std::int64_t row) {
    SQLite::Statement update(*database_, "UPDATE runs SET notes = ? WHERE id = ?");
    update.bind(1, notes);
    update.bind(2, row);
    update.exec();
  });
}

Result<std::string> SqliteStore::meta(const std::string& key) const {
  try {
    SQLite::Statement query(*database_, "SELECT value FROM meta WHERE key = ?");
    query.bind(1, key);
    return query.executeStep() ? query.getColumn(0).getString() : std::string();
  } catch (const SQLite::Exception& exception) {
    return explain(exception, file_);
  }
}

Result<void> SqliteStore::set_meta(const std::string& key, const std::string& value) {
  return write([&] {
    SQLite::Statement insert(*database_,
                             "INSERT INTO meta(key, value) VALUES (?1, ?2) "
                             "ON CONFLICT(key) DO UPDATE SET value = ?2");
    insert.bind(1, key);
    insert.bind(2, value);
    insert.exec();
  });
}

Result<Json> SqliteStore::window_state() const {
  const Result<std::string> text = meta("window_state");
  if (!text) return text.error();
  if (text->empty()) return Json::object();
  Result<Json> state = parse_json(*text);
  // Where a window stood is not worth refusing a session for.
  return state && state->is_object() ? *std::move(state) : Json::object();
}

}  // namespace

Result<std::unique_ptr<Store>> Store::open(const fs::path& file) {
  Result<Connection> database = connect_for_reading(file);
  if (!database) return database.error();
  return std::unique_ptr<Store>(std::make_unique<SqliteStore>(file, *std::move(database)));
}

Result<std::unique_ptr<Store>> Store::open_for_writing(const fs::path& file) {
  Result<Connection> database = connect_for_writing(file);
  if (!database) return database.error();
  return std::unique_ptr<Store>(std::make_unique<SqliteStore>(file, *std::move(database)));
}

std::optional<double> baseline_us(const std::vector<Run>& runs, const Run& run) {
  for (const Run& candidate : runs)
    if (candidate.baseline && candidate.problem == run.problem && candidate.workload == run.workload &&
        candidate.axes == run.axes && device_key(candidate.device) == device_key(run.device) &&
        candidate.timing && candidate.timing->cold)
      return candidate.timing->cold->median_us;
  return std::nullopt;
}

std::optional<double> baseline_us(const std::vector<Run>& runs, const problem::BoundProblem& problem,
                                  const device::DeviceInfo& device) {
  Run wanted;
  wanted.problem = problem.problem;
  wanted.workload = problem.workload;
  wanted.axes = problem.axes;
  wanted.device = device;
  return baseline_us(runs, wanted);
}

}  // namespace ridge::session

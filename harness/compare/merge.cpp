#include "harness/compare/merge.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/descriptor.hpp"
#include "core/file_lock.hpp"
#include "core/parameters.hpp"
#include "core/replace_file.hpp"
#include "harness/record/contradictions.hpp"
#include "harness/record/record_appender.hpp"
#include "harness/record/record_reader.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;  // sorted members: the order of writing does not matter

/// The identity of a record: records with equal identity are the same.
std::string identity(const json& record) {
  const std::string kind = record.at("kind");
  std::vector<json::json_pointer> fields;
  if (kind == "run") {
    fields = {json::json_pointer{"/run"}};
  } else if (kind == "measurement" || kind == "component" || kind == "count") {
    fields = {json::json_pointer{"/key"}, json::json_pointer{"/run"}};
  } else if (kind == "prediction") {
    fields = {json::json_pointer{"/cell"}, json::json_pointer{"/model"}, json::json_pointer{"/model_digest"},
              json::json_pointer{"/profile/hash"}};
  } else {
    return record.dump();  // records of these kinds are the same only if all fields agree
  }
  std::string text = kind;
  for (const json::json_pointer& field : fields) {
    text += fmt::format(" {} {}", field.back(), record.at(field).get<std::string>());
  }
  return text;
}

/// The members in which two records differ: "median_s, samples_s".
std::string differences(const json& a, const json& b) {
  std::set<std::string> names;
  for (const json* side : {&a, &b}) {
    for (const auto& [name, value] : side->items()) {
      if (!a.contains(name) || !b.contains(name) || a[name] != b[name]) names.insert(name);
    }
  }
  return join({names.begin(), names.end()});
}

/// Keeps runs and other merges from writing to `path` while its records move to another file. A file that is not there
/// yet is made, or two merges into it would each replace it; it is removed again if nothing was written.
class Lock {
 public:
  explicit Lock(const fs::path& path) : path_(path) {
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return;
    if (path.has_parent_path()) fs::create_directories(path.parent_path(), error);
    do {  // again if another merge replaced the file that was opened
      made_ = !fs::exists(path, error);
      // Network file systems lock only what is opened for writing.
      int file = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
      if (file < 0) file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
      if (file < 0 && made_) return;  // the writer says why
      file_ = Descriptor{file, path.c_str()};
      const FileLockAnswer answer = lock_file(file_.get());
      if (answer.lock == FileLock::held) {
        throw BadInput(
            fmt::format("out: another program is writing {}; wait for it or give another --out", path.string()));
      }
      if (answer.lock == FileLock::impossible) {
        note_ = fmt::format("{}: cannot be locked ({}); a run that writes to it meanwhile ends", path.string(),
                            answer.reason);
      }
    } while (!leads_to(path, file_.get()));
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    struct stat facts {};
    const bool untouched = fstat(file_.get(), &facts) == 0 && facts.st_size == 0 && leads_to(path_, file_.get());
    if (made_ && untouched) unlink(path_.c_str());
  }

  /// One line where the file cannot be locked; empty otherwise.
  const std::string& note() const { return note_; }

 private:
  fs::path path_;
  bool made_ = false;  ///< there was no file before
  Descriptor file_{};
  std::string note_{};
};

}  // namespace

MergeReport merge(const std::vector<fs::path>& inputs, const fs::path& out) {
  struct Known {
    json record;
    std::string where;
  };
  // Records of several files contradict each other as those of one do, or no command could read the union.
  EarlierRecords earlier;
  std::vector<nlohmann::ordered_json> kept;
  std::vector<std::string> places;
  const auto name_place = [&](std::size_t record) { return places[record]; };
  RecordAppender::refuse_compressed(out);
  const Lock lock{out};
  std::vector<fs::path> files;
  if (fs::is_regular_file(out)) files.push_back(out);  // keep the records of the existing file
  files.insert(files.end(), inputs.begin(), inputs.end());

  MergeReport report;
  if (!lock.note().empty()) report.notes.push_back(lock.note());
  std::map<std::string, Known> known;
  std::string text;
  for (const fs::path& path : files) {
    const RecordFile file = read_records(path);
    if (file.torn) report.notes.push_back(fmt::format("{}: {}", path.string(), file.end_note));
    for (std::size_t i = 0; i < file.records.size(); ++i) {
      json record = file.records[i];
      const std::string where = fmt::format("{}:{}", path.string(), file.lines[i]);
      const std::string id = identity(record);
      const auto [place, is_new] = known.try_emplace(id, Known{record, where});
      if (is_new) {
        if (const auto contradiction = earlier.take(file.records[i], kept, name_place)) {
          report.conflicts.push_back(fmt::format("{}: {}", where, *contradiction));
        }
        kept.push_back(file.records[i]);
        places.push_back(where);
        text += file.texts[i] + "\n";
        ++report.records;
      } else if (place->second.record == record) {
        ++report.duplicates;
      } else {
        report.conflicts.push_back(fmt::format("{}: {} and {} differ in {}", id, place->second.where, where,
                                               differences(place->second.record, record)));
      }
    }
  }
  if (!report.conflicts.empty()) return report;
  replace_file(out, text);
  return report;
}

}  // namespace sortlab

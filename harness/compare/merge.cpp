#include "harness/compare/merge.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/descriptor.hpp"
#include "core/file_lock.hpp"
#include "core/parameters.hpp"
#include "core/replace_file.hpp"
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

/// Keeps a run from appending to `path` while its records move to another file. Does nothing if there is no file yet.
class Lock {
 public:
  explicit Lock(const fs::path& path) {
    if (!fs::is_regular_file(path)) return;
    // Network file systems lock only what is opened for writing.
    int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    file_ = Descriptor{file, path.c_str()};
    const FileLockAnswer answer = lock_file(file_.get());
    if (answer.lock == FileLock::held) {
      throw BadInput(fmt::format("out: a run is writing {}; wait for it or give another --out", path.string()));
    }
    if (answer.lock == FileLock::impossible) {
      note_ = fmt::format("{}: cannot be locked ({}); a run that writes to it meanwhile ends", path.string(),
                          answer.reason);
    }
  }

  /// One line where the file cannot be locked; empty otherwise.
  const std::string& note() const { return note_; }

 private:
  Descriptor file_{};
  std::string note_{};
};

}  // namespace

MergeReport merge(const std::vector<fs::path>& inputs, const fs::path& out) {
  struct Known {
    json record;
    std::string where;
  };
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

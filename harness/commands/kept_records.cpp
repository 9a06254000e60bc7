#include "harness/commands/kept_records.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/predict_cases.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/record/measurement.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/validate/validation.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// The files of records below `folder` that satisfy `wanted`, by name.
template <class Wanted>
std::vector<fs::path> record_files(const fs::path& folder, const Wanted& wanted) {
  std::vector<fs::path> files;
  std::error_code missing;
  for (const auto& entry : fs::recursive_directory_iterator(folder, missing)) {
    if (entry.is_regular_file(missing) && entry.path().extension() == ".jsonl" && wanted(entry.path())) {
      files.push_back(entry.path());
    }
  }
  std::ranges::sort(files);
  return files;
}

fs::path kept_folder() {
  return checkout_root() / "results" / "reference";
}

/// The name, which no sort has, of all sorts of the host or of a device.
std::string all_sorts(bool on_host) {
  return on_host ? "*host" : "*device";
}

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], place - static_cast<double>(below));
}

}  // namespace

KeptErrors::KeptErrors() {
  for (const fs::path& file :
       record_files(kept_folder(), [](const fs::path& path) { return path.filename() == kValidationFile; })) {
    const RecordFile read = read_records(file);
    std::map<std::string, double> measured_s;
    for (const nlohmann::ordered_json& record : read.records) {
      const auto measurement = measured_in(record);
      if (measurement && measurement->status == Status::ok) {
        measured_s[record["cell"].get<std::string>()] = measurement->median_s;
      }
    }
    for (const nlohmann::ordered_json& record : read.records) {
      if (record["kind"] != "prediction") continue;
      const auto found = measured_s.find(record["cell"].get<std::string>());
      const double predicted_s = record["seconds"].get<double>();
      if (found == measured_s.end() || predicted_s <= 0) continue;
      const std::string kind = record["model_kind"];
      const bool on_host = record["case"]["residency"] == "host";
      for (const std::string& sort : {record["case"]["algorithm"].get<std::string>(), all_sorts(on_host)}) {
        ratios_[{kind, sort}].push_back(found->second / predicted_s);
      }
    }
  }
  for (auto& [of, ratios] : ratios_) std::ranges::sort(ratios);
}

std::optional<KeptErrors::Interval> KeptErrors::of(ModelKind kind, const std::string& algorithm, bool on_host) const {
  for (const std::string& sort : {algorithm, all_sorts(on_host)}) {
    const auto found = ratios_.find({std::string{to_name(kind)}, sort});
    if (found == ratios_.end() || found->second.size() < kLeastCells) continue;
    constexpr double outside = 0.05;  // on either side
    return Interval{.factors = {quantile(found->second, outside), quantile(found->second, 1 - outside)},
                    .cells = found->second.size()};
  }
  return std::nullopt;
}

std::vector<SortTime> kept_times(const std::string& machine_id) {
  std::vector<SortTime> times;
  if (machine_id.empty()) return times;
  const auto has_measurements = [](const fs::path& path) {
    return !path.string().ends_with(".predictions.jsonl") && !path.string().ends_with("counts.jsonl");
  };
  for (const fs::path& file : record_files(kept_folder() / machine_id, has_measurements)) {
    std::ranges::move(measured_times(file.string()), std::back_inserter(times));
  }
  return times;
}

}  // namespace sortlab

#include "harness/commands/kept_records.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "harness/commands/predict_cases.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/record/measurement.hpp"
#include "harness/record/record_reader.hpp"
#include "harness/record/run_order.hpp"
#include "harness/validate/validation.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

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
  for (const fs::path& file : record_files(kept_folder(), FolderDepth::with_subfolders)) {
    if (!file.filename().string().starts_with(kValidationFile)) continue;  // compressed or not
    const RecordFile read = read_records(file);
    std::map<std::string, double> measured_s;
    for (const nlohmann::ordered_json* const record : newest_of_cells(read.records)) {
      const auto measurement = measured_in(*record);
      if (measurement && measurement->status == Status::ok) {
        measured_s[record->at("cell").get<std::string>()] = measurement->median_s;
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
  for (const fs::path& file : record_files(kept_folder() / machine_id, FolderDepth::with_subfolders)) {
    const std::string name = file.filename().string();
    if (name.find("predictions.jsonl") != std::string::npos || name.find("counts.jsonl") != std::string::npos) continue;
    std::ranges::move(measured_times(file.string()), std::back_inserter(times));
  }
  return times;
}

}  // namespace sortlab

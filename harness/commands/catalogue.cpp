#include "harness/commands/catalogue.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "algorithms/component.hpp"
#include "core/build_digest.hpp"
#include "core/parse_json.hpp"
#include "core/visible_files.hpp"
#include "generators/distribution.hpp"
#include "harness/machine/build_info.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"
#include "harness/predict/known_profiles.hpp"
#include "harness/predict/model_tables.hpp"
#include "harness/predict/prediction_record.hpp"
#include "harness/record/algorithm_record.hpp"
#include "models/model.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr std::size_t kCommitDigits = 8;

ordered_json value_json(const Value& value) {
  return std::visit([](const auto& v) { return ordered_json(v); }, value);
}

ordered_json value_json(const std::vector<Parameter>& parameters) {
  ordered_json list = ordered_json::array();
  for (const Parameter& p : parameters) {
    ordered_json entry{{"name", p.name}, {"meaning", p.meaning}, {"default", value_json(p.standard)}};
    if (p.text) {
      entry["text"] = true;
    } else if (p.choices.empty()) {
      // Limits of integers are shown as integers.
      const bool real = std::holds_alternative<double>(p.standard);
      const auto limit = [&](double x) { return real ? ordered_json(x) : ordered_json(static_cast<std::int64_t>(x)); };
      entry["range"] = {limit(p.range.smallest), limit(p.range.largest)};
    } else {
      entry["choices"] = p.choices;
    }
    entry["auto"] = p.takes_auto();
    list.push_back(std::move(entry));
  }
  return list;
}

/// The reason an algorithm cannot run on this machine, or null.
ordered_json reason_against(const Algorithm& algorithm) {
  if (const auto reason = algorithm.unavailable()) return *reason;
  if (algorithm.info().runs_on == Processor::host) return nullptr;
  if (!cuda_built())
    return "needs a Sortlab that is built with CUDA";  // a module with device code may be loaded anyway
  if (gpus_here().names.empty()) return gpus_here().reason;
  return nullptr;
}

/// JSON files below `folder` for which `wanted` is true, sorted by path. A missing folder has none.
template <class Wanted>
std::vector<fs::path> json_files(const fs::path& folder, Wanted wanted) {
  std::vector<fs::path> files = visible_files(folder, ".json", FolderDepth::with_subfolders);
  std::erase_if(files, [&](const fs::path& file) { return !wanted(file); });
  return files;
}

/// The entry of a file: the members in `wanted` that it has, then its path, and what `add` finds in its content; or the
/// error, if it is not a JSON object.
template <class Add>
ordered_json read_entry(const fs::path& file, const std::vector<std::string>& wanted, Add add) {
  ordered_json entry = ordered_json::object();
  ordered_json content;
  try {
    const std::string text = read_json_text(file).value_or("");
    content = parse_json(without_mark(text));
  } catch (const JsonError&) {
    content = nullptr;
  }
  for (const std::string& name : wanted) {
    const bool there = content.is_object() && content.contains(name) && content[name].is_primitive();
    entry[name] = there ? content[name] : ordered_json(nullptr);
  }
  entry["path"] = fs::proximate(file, checkout_root()).string();
  if (!content.is_object()) {
    entry["error"] = "not a JSON object";
  } else {
    add(content, entry);
  }
  return entry;
}

/// Adds `date` and `commit` of a calibration, and `gpu`: the first device's name, and its own date and commit.
void add_calibration(const ordered_json& profile, ordered_json& entry) {
  const auto text = [](const ordered_json& from, const char* name) {
    const auto member = from.is_object() ? from.find(name) : from.end();
    return member != from.end() && member->is_string() ? member->get<std::string>() : std::string{};
  };
  // "sortlab calibrate --quick, 2026-11-26, commit 4d72363a…"
  static const RE2 calibration{R"((?s)sortlab calibrate[^,]*, (\d{4}-\d\d-\d\d), commit ([0-9a-f]+).*)"};
  std::string date, commit;
  if (RE2::FullMatch(text(profile, "source"), calibration, &date, &commit)) {
    entry["date"] = date;
    entry["commit"] = commit.substr(0, kCommitDigits);
  }
  const auto devices = profile.find("devices");
  if (devices == profile.end() || !devices->is_array() || devices->empty()) return;
  entry["gpu"] = text(devices->front(), "name");
  if (RE2::FullMatch(text(devices->front(), "source"), calibration, &date, &commit)) {
    entry["gpu"] = fmt::format("{}, {}, {}", text(devices->front(), "name"), date, commit.substr(0, kCommitDigits));
  }
}

}  // namespace

ordered_json algorithm_catalogue() {
  ordered_json list = ordered_json::array();
  for (const Algorithm* algorithm : all_algorithms()) {
    const Info& info = algorithm->info();
    const ordered_json reason = reason_against(*algorithm);
    ordered_json entry = algorithm_facts(info);
    entry.update({{"version", info.version},
                  {"build", build_digest(info.name)},
                  {"parameters", value_json(info.parameters)},
                  {"runs_here", reason.is_null()},
                  {"reason", reason}});
    list.push_back(std::move(entry));
  }
  return list;
}

ordered_json component_catalogue() {
  ordered_json list = ordered_json::array();
  for (const Component* component : all_components()) {
    const ordered_json reason = reason_against(algorithm_named(component->algorithm));
    list.push_back({{"name", component->name},
                    {"algorithm", component->algorithm},
                    {"title", component->title},
                    {"source", component->source},
                    {"postcondition", component->postcondition},
                    {"iterations", component->iterations},
                    {"phases", component->phases},
                    {"runs_here", reason.is_null()},
                    {"reason", reason}});
  }
  return list;
}

ordered_json distribution_catalogue() {
  ordered_json list = ordered_json::array();
  for (const Distribution* distribution : all_distributions()) {
    const DistributionInfo& info = distribution->info();
    list.push_back({{"name", info.name},
                    {"title", info.title},
                    {"source", info.source},
                    {"parameters", value_json(info.parameters)}});
  }
  return list;
}

ordered_json model_catalogue() {
  ordered_json list = ordered_json::array();
  for (const Model* model : all_models()) {
    const ModelInfo& info = model->info();
    list.push_back({{"name", info.name},
                    {"title", info.title},
                    {"source", info.source},
                    {"algorithms", info.algorithms},
                    {"model_kind", to_name(info.kind)},
                    {"family", info.family}});
    if (info.papers_times) list.back()["papers_times"] = true;
  }
  return list;
}

ordered_json model_details(const std::string& name) {
  std::vector<MachineProfile> machines;
  for (const KnownProfile& known : known_profiles()) {
    try {
      machines.push_back(read_profile(known.file.string()));
    } catch (const BadInput&) {
      continue;  // `list machines` reports the error
    }
  }
  const auto model = std::ranges::find(all_models(), name, [](const Model* one) { return one->info().name; });
  return {{"tables", to_json(find_tables_read(**model, machines))}};
}

ordered_json config_catalogue() {
  const fs::path folder = checkout_root() / "configs";
  ordered_json list = ordered_json::array();
  const auto no_more = [](const ordered_json&, ordered_json&) {};
  const auto is_config = [&](const fs::path& file) {  // not what `sortlab campaign` reads
    return *file.lexically_relative(folder).begin() != "schemas" && file != folder / "reference.json";
  };
  for (const fs::path& file : json_files(folder, is_config))
    list.push_back(read_entry(file, {"name", "title"}, no_more));
  return list;
}

ordered_json machine_catalogue() {
  ordered_json list = ordered_json::array();
  for (const KnownProfile& known : known_profiles()) {
    ordered_json entry =
        read_entry(known.file, {"id", "name", "origin", "source", "cores", "clock_hz"}, add_calibration);
    entry["profile"] = known.name;
    entry["here"] = entry["id"] == machine_id();
    list.push_back(std::move(entry));
  }
  return list;
}

}  // namespace sortlab

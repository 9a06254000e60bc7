#include "harness/predict/known_profiles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/parameters.hpp"
#include "core/parse_json.hpp"
#include "core/visible_files.hpp"
#include "harness/machine/checkout.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

bool is_profile(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == "profile.json" || (name.starts_with("profile_") && name.ends_with(".json"));
}

/// The name of a profile in results.
std::string result_name(const fs::path& file) {
  fs::path path = file.lexically_relative(checkout_root() / "results");
  if (*path.begin() == "reference") path = path.lexically_relative("reference");
  path.replace_extension();
  const auto depth = std::distance(path.begin(), path.end()) - (*path.begin() == "local" ? 1 : 0);
  return (depth > 2 && path.filename() == "profile" ? path.parent_path() : path).string();
}

/// The machine's id in a profile; empty if the file cannot be read.
std::string id_in(const fs::path& file) {
  try {
    const nlohmann::ordered_json content = parse_json(without_mark(read_json_text(file).value_or("")));
    return content.is_object() && content.contains("id") && content["id"].is_string() ? content["id"].get<std::string>()
                                                                                      : "";
  } catch (const JsonError&) {
    return "";
  }
}

}  // namespace

std::vector<KnownProfile> known_profiles() {
  std::vector<KnownProfile> described, kept;
  for (const fs::path& file : visible_files(checkout_root() / "models" / "machines", ".json", FolderDepth::alone)) {
    described.push_back({file.stem().string(), file});
  }
  for (const fs::path& file : visible_files(checkout_root() / "results", ".json", FolderDepth::with_subfolders)) {
    if (is_profile(file)) kept.push_back({result_name(file), file});
  }
  std::ranges::sort(described, {}, &KnownProfile::name);
  std::ranges::sort(kept, {}, &KnownProfile::name);
  described.insert(described.end(), kept.begin(), kept.end());
  return described;
}

fs::path profile_file(const std::string& given) {
  if (const fs::path file = given_or_shared(given); fs::exists(file)) return file;
  const std::vector<KnownProfile> known = known_profiles();
  std::vector<std::string> names, of_machine;
  for (const KnownProfile& profile : known) {
    if (profile.name == given) return profile.file;
    names.push_back(profile.name);
    if (id_in(profile.file) == given) of_machine.push_back(profile.name);
  }
  if (of_machine.empty()) {
    throw BadInput(fmt::format("machine: no file and no machine '{}'{}; allowed: a profile's file, {}", given,
                               did_you_mean(given, names), join(names)));
  }
  if (of_machine.size() > 1) {
    throw BadInput(
        fmt::format("machine: '{}' has {} profiles; allowed: {}", given, of_machine.size(), join(of_machine)));
  }
  return std::ranges::find(known, of_machine.front(), &KnownProfile::name)->file;
}

}  // namespace sortlab

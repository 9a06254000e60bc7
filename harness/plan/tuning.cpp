#include "harness/plan/tuning.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/build_digest.hpp"
#include "core/json_field.hpp"
#include "core/replace_file.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/problem.hpp"
#include "harness/machine/checkout.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/machine/machine.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Factor between a tuning's n and the largest or smallest n to which it applies.
constexpr double kReach = 16;

std::string device_here(const Algorithm& algorithm) {
  if (algorithm.info().runs_on == Processor::host || gpus_here().names.empty()) return {};
  return gpus_here().names.front();
}

/// The ratio of the larger to the smaller.
double times_apart(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(std::max(a, b)) / static_cast<double>(std::max<std::uint64_t>(std::min(a, b), 1));
}

ordered_json to_json(const TimedSetting& setting) {
  return {{"parameters", to_json(setting.parameters)}, {"median_s", setting.median_s}, {"ci95_s", setting.ci95_s}};
}

ordered_json to_json(const Tuning& tuning) {
  return {{"algorithm", tuning.subject.algorithm->info().name},
          {"build", tuning.build},
          {"device", tuning.device.empty() ? ordered_json() : ordered_json(tuning.device)},
          {"key_type", to_name(tuning.subject.key)},
          {"value_type", to_name(tuning.subject.value)},
          {"n", tuning.subject.n},
          {"distribution", tuning.distribution},
          {"threads", tuning.subject.threads},
          {"chosen", to_json(tuning.chosen)},
          {"compiled", to_json(tuning.compiled)},
          {"settings", tuning.settings},
          {"declined", tuning.declined}};
}

TimedSetting read_setting(const JsonField& field, const Info& info) {
  constexpr double week = 7 * 86400.0;
  field.only({"parameters", "median_s", "ci95_s"});
  const JsonField parameters = field.at("parameters");
  const auto interval = field.at("ci95_s").elements();
  if (interval.size() != 2) field.at("ci95_s").fail("two times in seconds");
  return {.parameters =
              parameters.located([&] { return resolve(info.name, info.parameters, read_parameters(parameters)); }),
          .median_s = field.at("median_s").number(0, week),
          .ci95_s = {interval[0].number(0, week), interval[1].number(0, week)}};
}

Tuning read_tuning(const JsonField& field, const Algorithm& algorithm) {
  field.only({"algorithm", "build", "device", "key_type", "value_type", "n", "distribution", "threads", "chosen",
              "compiled", "settings", "declined"});
  constexpr std::int64_t many = std::int64_t{1} << 40;
  Tuning tuning;
  tuning.subject.algorithm = &algorithm;
  tuning.build = field.at("build").text();
  if (!field.at("device").value().is_null()) tuning.device = field.at("device").text();
  tuning.subject.key = field.at("key_type").named<KeyType>();
  tuning.subject.value = field.at("value_type").named<ValueType>();
  tuning.subject.n = static_cast<std::uint64_t>(field.at("n").integer(0, many));
  tuning.distribution = field.at("distribution").text();
  tuning.subject.threads = static_cast<int>(field.at("threads").integer(1, 4096));
  tuning.chosen = read_setting(field.at("chosen"), algorithm.info());
  tuning.compiled = read_setting(field.at("compiled"), algorithm.info());
  tuning.subject.parameters = tuning.chosen.parameters;
  tuning.settings = static_cast<std::size_t>(field.at("settings").integer(0, many));
  tuning.declined = static_cast<std::size_t>(field.at("declined").integer(0, many));
  return tuning;
}

/// True if two tunings are of the same case, whatever their builds.
bool replaces(const Tuning& newer, const Tuning& older) {
  const Case& a = newer.subject;
  const Case& b = older.subject;
  return a.algorithm == b.algorithm && newer.device == older.device && a.key == b.key && a.value == b.value &&
         a.threads == b.threads && a.n == b.n;
}

}  // namespace

Tunings::Tunings(std::filesystem::path path) try : path_(std::move(path)) {
  if (!std::filesystem::exists(path_)) return;
  const ordered_json json = read_json_file(path_);
  const JsonField root{json, path_.string()};
  root.only({"schema", "machine", "tunings"});
  root.at("schema").integer(1, 1);
  if (root.at("tunings").value().empty()) return;
  for (const JsonField& field : root.at("tunings").elements()) {
    const std::string name = field.at("algorithm").text();
    const auto& all = all_algorithms();
    const auto algorithm = std::ranges::find(all, name, [](const Algorithm* a) { return a->info().name; });
    if (algorithm == all.end()) {  // an algorithm of another build, which keeps its choices
      others_.push_back(field.value());
      continue;
    }
    const std::string build = field.at("build").text();
    if (build != build_digest(name)) continue;  // the meaning of its parameters may have changed
    tunings_.push_back(read_tuning(field, **algorithm));
  }
} catch (const BadInput& error) {
  throw BadInput(fmt::format("{}; remove the file, and `sortlab tune` makes it anew", error.what()));
}

const Tuning* Tunings::find(const Case& c) const {
  const Tuning* nearest = nullptr;
  double distance = kReach;
  for (const Tuning& tuning : tunings_) {
    if (tuning.subject.algorithm != c.algorithm || tuning.subject.key != c.key || tuning.subject.value != c.value ||
        tuning.subject.threads != c.threads || tuning.device != device_here(*c.algorithm)) {
      continue;
    }
    const double away = times_apart(tuning.subject.n, c.n);
    if (away > distance || (nearest != nullptr && away == distance)) continue;
    Case with = c;
    with.parameters = tuning.chosen.parameters;
    if (refusal(with)) continue;
    nearest = &tuning;
    distance = away;
  }
  return nearest;
}

bool Tunings::has(const Algorithm& algorithm) const {
  return std::ranges::any_of(tunings_, [&](const Tuning& one) { return one.subject.algorithm == &algorithm; });
}

void Tunings::keep(Tuning tuning) {
  std::erase_if(tunings_, [&](const Tuning& older) { return replaces(tuning, older); });
  tunings_.push_back(std::move(tuning));
  ordered_json list = ordered_json(others_);
  for (const Tuning& each : tunings_) list.push_back(to_json(each));
  const ordered_json json{{"schema", 1}, {"machine", machine_id()}, {"tunings", list}};
  replace_file(path_, json.dump(1) + "\n");
}

std::filesystem::path local_tunings_path() {
  return local_results(machine_id()) / "tuned.json";
}

const Tunings& local_tunings() {
  static const Tunings tunings{local_tunings_path()};
  return tunings;
}

void use_tuning(Case& c, const GivenParameters& given, const Tunings& tunings) {
  const Tuning* tuning = tunings.find(c);
  if (tuning == nullptr) return;
  for (const auto& [name, value] : tuning->chosen.parameters.all()) {
    if (!given.contains(name)) c.parameters.set(name, value);
  }
}

void use_tuning_where_auto(Case& c, const Tunings& tunings) {
  const auto& all = c.parameters.all();
  const auto is_auto = [&](const auto& entry) { return c.parameters.is_auto(entry.first); };
  if (std::ranges::none_of(all, is_auto)) return;
  const Tuning* tuning = tunings.find(c);
  if (tuning == nullptr) return;
  const auto& tuned = tuning->chosen.parameters.all();
  if (!std::ranges::all_of(all, [&](const auto& e) { return is_auto(e) || tuned.at(e.first) == e.second; })) return;
  c.parameters = tuning->chosen.parameters;
}

}  // namespace sortlab

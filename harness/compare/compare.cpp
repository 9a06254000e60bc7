#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "core/parameters.hpp"
#include "core/statistics.hpp"
#include "harness/compare/energy_values.hpp"
#include "harness/record/run_order.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The checked fields of a measurement that the comparison needs.
struct Measurement {
  std::string machine;
  std::string status;
  std::string reason{};
  bool is_expected = false;   ///< a failure that the sort's known limits name
  std::string disturbance{};  ///< empty: its processors were free
  std::string input{};        ///< `protocol.input`: fresh or same
  bool is_primed = false;     ///< small: `protocol.state` is warm
  std::optional<double> core_distance_s{};
  bool shares_core = false;
  std::vector<double> samples{};
  std::vector<int> processes{};  ///< number of the process of each sample
  std::string interleaved{};     ///< `protocol.interleaved`; empty: its samples were not taken in turn with another's
  std::vector<std::int64_t> inputs{};  ///< number of each sample's input, where they are interleaved
  std::optional<double> clock_hz{};
  std::string clock_source{};
  std::optional<EnergyValues> energy{};  ///< if joules are compared: their `joules` are the samples
  ordered_json record{};

  bool has_values() const { return status == "ok" && (!energy || energy->reason.empty()); }
};

struct ResultSet {
  std::string name;
  std::vector<std::string> order{};  ///< cells in order of first appearance
  std::map<std::string, Measurement> cells{};
  std::set<std::string> machines{};
  std::set<std::string> builds{};
  std::set<std::string> preloads{};  ///< libraries of LD_PRELOAD, whose changes are part of all times
  /// Values of each of kConditions in the runs, where they state it.
  std::map<std::string, std::set<std::string>> conditions{};
  std::map<std::string, std::set<std::string>> libraries{};  ///< builds of each shared library that was loaded
  std::string end_note{};                                    ///< note on a torn end that was left out
};

std::optional<double> positive_in(const ordered_json& record, const char* field) {
  const auto found = record.find(field);
  if (found == record.end() || !found->is_number() || !(found->get<double>() > 0)) return std::nullopt;
  return found->get<double>();
}

bool is_true(const ordered_json& record, const char* field) {
  const auto found = record.find(field);
  return found != record.end() && found->is_boolean() && *found == true;
}

/// A record of the reader's, whose members are as the schema has them.
Measurement read_measurement(const ordered_json& record) {
  Measurement m{.machine = record["machine"], .status = record["status"]};
  if (m.status == "ok") {
    m.samples = record["samples_s"].get<std::vector<double>>();
    m.processes.assign(m.samples.size(), 0);  // all of one where the record does not say
    if (record.contains("processes")) m.processes = record["processes"].get<std::vector<int>>();
  }
  if (record["reason"].is_string()) m.reason = record["reason"];
  m.is_expected = is_true(record, "expected");
  if (is_true(record, "disturbed")) {
    m.disturbance = "no cause is recorded";
    if (record.contains("disturbance") && record["disturbance"].is_string()) m.disturbance = record["disturbance"];
  }
  m.shares_core = is_true(record, "shares_core");
  m.core_distance_s = positive_in(record, "core_distance_s");
  const ordered_json& protocol = record["protocol"];
  m.input = protocol.value("input", std::string{"same"});
  m.is_primed = protocol.value("state", std::string{}) == "warm";
  m.interleaved = protocol.value("interleaved", std::string{});
  if (!m.interleaved.empty() && m.status == "ok") m.inputs = record["inputs"].get<std::vector<std::int64_t>>();
  if (const auto source = record.find("clock_source"); source != record.end() && source->is_string()) {
    m.clock_source = *source;
    m.clock_hz = positive_in(record, "clock_hz");
  }
  m.record = record;
  return m;
}

/// Makes the joules of each window the samples of a measurement: each window is an observation of its own.
void take_energy(Measurement& m) {
  m.energy = m.status == "ok" ? energy_values(m.record) : EnergyValues{};
  m.samples = m.energy->joules;
  m.processes.resize(m.samples.size());
  std::iota(m.processes.begin(), m.processes.end(), 0);
  m.clock_hz.reset();
  m.interleaved.clear();
}

/// Version and commit of a run's build, as "9.9.9 of 01234567 (changed)".
std::string build_text(const ordered_json& run) {
  const ordered_json& build = run.contains("build") && run["build"].is_object() ? run["build"] : run;
  const auto text = [&](const char* field) {
    return build.contains(field) && build[field].is_string() ? build[field].get<std::string>() : std::string{};
  };
  const bool dirty = build.contains("dirty") && build["dirty"] == true;
  return fmt::format("{} of {}{}, {} {}", text("version"), text("commit").substr(0, 8), dirty ? " (changed)" : "",
                     text("compiler"), text("flags"));
}

/// Files of a run's LD_PRELOAD, or "none".
std::string preload_text(const ordered_json& run) {
  const ordered_json::json_pointer place{"/environment/variables/passed/LD_PRELOAD"};
  return run.contains(place) && run[place].is_string() ? run[place].get<std::string>() : "none";
}

/// Members of a run's environment that change times without any change of the build.
constexpr std::array kConditions{"transparent_huge_pages", "huge_pages_disabled", "governor",  "boost", "smt",
                                 "numa_balancing",         "memory_policy",       "scheduler", "nice",  "store_bypass",
                                 "cgroup/cpu_quota",       "stack_limit_bytes",   "traced"};

void take_libraries(ResultSet& set, const ordered_json& run) {
  const ordered_json::json_pointer place{"/environment/libraries"};
  if (!run.contains(place)) return;
  for (const auto& [name, build] : run[place].items()) set.libraries[name].insert(build.get<std::string>());
}

/// The libraries of which the two sets had other builds, with the beginnings of these, or an empty text.
std::string libraries_text(const ResultSet& a, const ResultSet& b) {
  constexpr std::size_t shown = 8;  // characters
  const auto beginnings = [](const std::set<std::string>& builds) {
    std::set<std::string> cut;
    for (const std::string& build : builds) cut.insert(build.substr(0, shown));
    return join({cut.begin(), cut.end()});
  };
  std::string text;
  for (const auto& [name, builds] : a.libraries) {
    const auto other = b.libraries.find(name);
    if (other == b.libraries.end() || other->second == builds) continue;
    text +=
        fmt::format("{}{} (A {}; B {})", text.empty() ? "" : ", ", name, beginnings(builds), beginnings(other->second));
  }
  return text;
}

void take_conditions(ResultSet& set, const ordered_json& run) {
  for (const char* name : kConditions) {
    const ordered_json::json_pointer place{fmt::format("/environment/{}", name)};
    if (!run.contains(place)) continue;
    const ordered_json& value = run[place];
    set.conditions[name].insert(value.is_string() ? value.get<std::string>() : value.dump());
  }
}

ResultSet read_set(const std::filesystem::path& path, Metric metric) {
  ResultSet set{.name = path.string()};
  const RecordFile file = read_records(path);
  set.end_note = file.end_note;
  for (const ordered_json& record : file.records) {
    if (record["kind"] == "run") {
      set.builds.insert(build_text(record));
      set.preloads.insert(preload_text(record));
      take_conditions(set, record);
      take_libraries(set, record);
    }
    if (record["kind"] == "measurement" || record["kind"] == "component") set.machines.insert(record["machine"]);
  }
  for (const ordered_json* const record : newest_of_cells(file.records)) {
    Measurement m = read_measurement(*record);
    if (metric == Metric::energy) take_energy(m);
    set.order.push_back((*record)["cell"]);
    set.cells.emplace(set.order.back(), std::move(m));
  }
  if (set.cells.empty()) {
    throw BadInput(
        fmt::format("{}: holds no measurement{}{}", set.name, set.end_note.empty() ? "" : "; ", set.end_note));
  }
  return set;
}

/// Status and reason of a measurement that is not ok: "skipped: needs 4 processors".
std::string told(const Measurement& m) {
  return m.reason.empty() ? m.status : m.status + ": " + m.reason;
}

/// A fault of b's sort that a comparison must not pass over: a wrong output, or a failure that the sort at `a` (null if
/// a has no such cell) did not have. Empty for known limits and for cells that were not run.
std::string new_fault(const Measurement* a, const Measurement& b) {
  if (b.status == "ok" || b.status == "skipped" || b.is_expected) return "";
  if (b.status != "wrong" && a != nullptr && a->status == b.status) return "";
  return told(b);
}

/// The reason two measurements of a cell cannot be compared, or nullopt.
std::optional<std::string> obstacle(const Measurement& a, const Measurement& b) {
  if (a.machine != b.machine) return fmt::format("machines differ: {} and {}", a.machine, b.machine);
  if (a.status != "ok" && b.status != "ok") return fmt::format("A {}, B {}", told(a), told(b));
  if (a.status != "ok") return fmt::format("A {}", told(a));
  if (b.status != "ok") return fmt::format("B {}", told(b));
  for (const auto& [side, m] : {std::pair{"A", &a}, std::pair{"B", &b}}) {
    if (!m->has_values()) return fmt::format("{} has no joules: {}", side, m->energy->reason);
  }
  if (a.energy && a.energy->domains != b.energy->domains) {
    return fmt::format("joules are those of different parts: A {}; B {}", a.energy->domains, b.energy->domains);
  }
  const bool fresh_is_small = (a.input == "fresh" && a.is_primed) || (b.input == "fresh" && b.is_primed);
  if (a.input != b.input && fresh_is_small) {
    return fmt::format("the samples of {} sorted one input again and again, and a processor learns one so small",
                       a.input == "fresh" ? "B" : "A");
  }
  return std::nullopt;
}

/// The reason why a change of joules need not be one of the code, or an empty text.
std::string other_cause_of_energy(const EnergyValues& a, const EnergyValues& b) {
  if (!a.doubt.empty()) return "A: " + a.doubt;
  if (!b.doubt.empty()) return "B: " + b.doubt;
  if (a.throttled == b.throttled) return "";
  const auto text = [](const EnergyValues& of) { return of.throttled.empty() ? "none" : join(of.throttled); };
  return fmt::format("reasons for a lower clock differ: A {}; B {}", text(a), text(b));
}

/// The reason why a change need not be one of the code, or an empty text.
std::string other_cause(const Measurement& a, const Measurement& b) {
  if (a.energy) return other_cause_of_energy(*a.energy, *b.energy);
  if (!a.disturbance.empty() || !b.disturbance.empty()) {
    const bool is_a = !a.disturbance.empty();
    return fmt::format("{} was disturbed: {}", is_a ? "A" : "B", is_a ? a.disturbance : b.disturbance);
  }
  if (a.shares_core != b.shares_core) {
    return fmt::format("two processors of {} were threads of one core", a.shares_core ? "A" : "B");
  }
  constexpr double far = 1.5;
  if (a.core_distance_s && b.core_distance_s &&
      std::max(*a.core_distance_s, *b.core_distance_s) > far * std::min(*a.core_distance_s, *b.core_distance_s)) {
    return fmt::format("the processors lay apart by {:.0f} ns in A, {:.0f} ns in B", 1e9 * *a.core_distance_s,
                       1e9 * *b.core_distance_s);
  }
  return "";
}

Place find_place(const Measurement& m) {
  const ordered_json& c = m.record["case"];
  if (c.value("residency", "host") != "host") return Place::device;
  const auto threads = c.find("threads");
  return threads != c.end() && threads->is_number() && *threads > 1 ? Place::several_threads : Place::one_thread;
}

/// Samples of interleaved runs, paired: a[i] and b[i] are of the same input, by the n-th process of either program.
struct InterleavedSamples {
  std::vector<double> a{};
  std::vector<double> b{};
  std::vector<int> processes{};
};

/// The samples by the rank of their process among the cell's, and their input.
std::map<std::pair<int, std::int64_t>, double> by_input(const Measurement& m) {
  std::map<int, int> ranks;
  for (const int process : m.processes) ranks.emplace(process, 0);
  int rank = 0;
  for (auto& [process, of_process] : ranks) of_process = rank++;
  std::map<std::pair<int, std::int64_t>, double> found;
  for (std::size_t i = 0; i < m.samples.size(); ++i) found[{ranks[m.processes[i]], m.inputs[i]}] = m.samples[i];
  return found;
}

/// Empty if the two measurements were not interleaved, or have fewer than two processes of such samples.
InterleavedSamples interleaved_samples(const Measurement& a, const Measurement& b) {
  InterleavedSamples samples;
  if (a.interleaved.empty() || a.interleaved != b.interleaved) return samples;
  const auto of_b = by_input(b);
  for (const auto& [place, seconds] : by_input(a)) {
    const auto partner = of_b.find(place);
    if (partner == of_b.end()) continue;
    samples.a.push_back(seconds);
    samples.b.push_back(partner->second);
    samples.processes.push_back(place.first);
  }
  if (samples.processes.empty() || samples.processes.front() == samples.processes.back()) return {};
  return samples;
}

/// The samples of a cell that can be compared, on both sides.
SamplePair pair_of_samples(const Measurement& a, const Measurement& b, const InterleavedSamples& interleaved) {
  if (!interleaved.a.empty()) {
    return {.a = {interleaved.a, interleaved.processes, std::nullopt},
            .b = {interleaved.b, interleaved.processes, std::nullopt},
            .place = find_place(b),
            .is_interleaved = true};
  }
  const bool clocks_agree = a.clock_source == b.clock_source;
  const auto side = [&](const Measurement& m) {
    return Samples{m.samples, m.processes, clocks_agree ? m.clock_hz : std::nullopt};
  };
  return {.a = side(a), .b = side(b), .place = find_place(b)};
}

bool is_same_record(const Measurement& a, const Measurement& b) {
  return nlohmann::json(a.record) == nlohmann::json(b.record);
}

/// The comparison of a cell that both sides have, but for the judgement of its times.
CellComparison compare_cell(const std::string& cell, const Measurement& a, const Measurement& b) {
  CellComparison result{.cell = cell, .subject = b.record["case"], .fault_of_b = new_fault(&a, b)};
  if (!a.samples.empty()) result.a = median(a.samples);
  if (!b.samples.empty()) result.b = median(b.samples);
  if (const auto why = obstacle(a, b)) {
    result.reason = *why;
  } else if (is_same_record(a, b)) {  // the same measurement: nothing to estimate
    result.verdict = Verdict::same;
    result.ratio = Ratio{};
    result.medians = 1;
  }
  return result;
}

/// Adds the judgement of a cell's times. What disturbed interleaved samples disturbed both sides.
void add(CellComparison& result, const Judgement& judgement, const Measurement& a, const Measurement& b,
         bool is_interleaved) {
  result.ratio = judgement.ratio;
  result.medians = judgement.medians;
  result.verdict = judgement.verdict;
  result.reason = judgement.reason;
  const bool changed = result.verdict == Verdict::faster || result.verdict == Verdict::slower;
  if (const std::string cause = other_cause(a, b); changed && !is_interleaved && !cause.empty()) {
    result.verdict = Verdict::ambiguous;
    result.reason = cause;
  }
}

std::string words(const std::set<std::string>& names) {
  return join({names.begin(), names.end()});
}

}  // namespace

std::string verdict_text(Verdict verdict, Metric metric) {
  if (metric == Metric::energy && verdict == Verdict::faster) return "cheaper";
  if (metric == Metric::energy && verdict == Verdict::slower) return "dearer";
  return std::string{to_name(verdict)};
}

std::size_t Comparison::count(Verdict verdict) const {
  return static_cast<std::size_t>(std::ranges::count(cells, verdict, &CellComparison::verdict));
}

Comparison compare(const std::filesystem::path& a_path, const std::filesystem::path& b_path, Metric metric) {
  const ResultSet a = read_set(a_path, metric);
  const ResultSet b = read_set(b_path, metric);
  Comparison comparison;
  comparison.metric = metric;
  for (const ResultSet* set : {&a, &b}) {
    if (!set->end_note.empty()) comparison.notes.push_back(fmt::format("{}: {}", set->name, set->end_note));
  }
  if (a.machines != b.machines) {
    comparison.notes.push_back(fmt::format("machines differ: A {}; B {}", words(a.machines), words(b.machines)));
  }
  if (a.preloads != b.preloads) {
    comparison.notes.push_back(
        fmt::format("preloaded libraries differ: A {}; B {}", words(a.preloads), words(b.preloads)));
  }
  if (const std::string libraries = libraries_text(a, b); !libraries.empty()) {
    comparison.notes.push_back(fmt::format("other builds of shared libraries were loaded: {}", libraries));
  }
  for (const auto& [name, values] : a.conditions) {
    const auto others = b.conditions.find(name);
    if (others == b.conditions.end() || others->second == values) continue;
    comparison.notes.push_back(fmt::format("{} differs: A {}; B {}", name, words(values), words(others->second)));
  }
  if (a.builds != b.builds) {
    comparison.notes.push_back(fmt::format("builds differ: A {}; B {}", words(a.builds), words(b.builds)));
  }

  struct Judged {
    std::size_t place;  ///< in comparison.cells
    const Measurement* a;
    const Measurement* b;
  };
  std::vector<Judged> judged;
  std::vector<SamplePair> pairs;
  std::deque<InterleavedSamples> interleaved;  // `pairs` refer to them
  for (const std::string& cell : a.order) {
    const Measurement& m = a.cells.at(cell);
    const auto other = b.cells.find(cell);
    if (m.status == "skipped" && other != b.cells.end() && other->second.status == "skipped") {
      ++comparison.skipped;
    } else if (other == b.cells.end()) {
      comparison.cells.push_back({.cell = cell, .subject = m.record["case"], .reason = "only in A"});
    } else {
      comparison.cells.push_back(compare_cell(cell, m, other->second));
      if (comparison.cells.back().verdict == Verdict::same || obstacle(m, other->second)) continue;
      judged.push_back({comparison.cells.size() - 1, &m, &other->second});
      interleaved.push_back(interleaved_samples(m, other->second));
      pairs.push_back(pair_of_samples(m, other->second, interleaved.back()));
    }
  }
  const Judgements judgements = judge(pairs);
  std::vector<double> values;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    add(comparison.cells[judged[i].place], judgements.cells[i], *judged[i].a, *judged[i].b, pairs[i].is_interleaved);
    values.push_back(judgements.cells[i].ratio.value);
  }
  comparison.process_noise = judgements.process_noise;
  if (!values.empty()) comparison.typical = median(values);
  if (judgements.of_one_process > 0) {
    comparison.notes.push_back(
        fmt::format("{} cells have samples of one process on a side: how much processes differ is assumed",
                    judgements.of_one_process));
  }
  for (const std::string& cell : b.order) {
    if (a.cells.contains(cell)) continue;
    const Measurement& m = b.cells.at(cell);
    comparison.cells.push_back(
        {.cell = cell, .subject = m.record["case"], .reason = "only in B", .fault_of_b = new_fault(nullptr, m)});
  }
  return comparison;
}

}  // namespace sortlab

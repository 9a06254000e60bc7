#include "harness/run/messages.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/json_field.hpp"
#include "harness/cell/case_json.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(const auto& optional) {
  if (!optional) return nullptr;
  if constexpr (requires { to_json(*optional); }) {
    return to_json(*optional);
  } else {
    return *optional;
  }
}

std::string text_or_empty(const ordered_json& json) {
  return json.is_null() ? "" : json.get<std::string>();
}

template <Named E>
E named(const ordered_json& json, const char* member) {
  return JsonField{json.at(member), "a worker's event", member}.named<E>();
}

ordered_json phases_json(const std::vector<PhaseTime>& phases) {
  ordered_json json = ordered_json::array();
  for (const PhaseTime& phase : phases) json.push_back({phase.name, phase.pass, phase.seconds, phase.lane});
  return json;
}

ordered_json facts_json(const SortFacts& facts) {
  return {{"input", facts.input},
          {"batch", facts.batch},
          {"processor_s", facts.processor_s},
          {"others_s", facts.others_s},
          {"window_s", facts.window_s},
          {"in_place", facts.in_place},
          {"allocations", or_null(facts.allocations)},
          {"page_faults", facts.page_faults},
          {"distance_s", facts.distance_s},
          {"shares_core", facts.shares_core},
          {"affinity", facts.affinity},
          {"allocated_bytes", facts.allocated_bytes},
          {"held", facts.held}};
}

SortFacts facts_from_json(const ordered_json& json) {
  SortFacts facts{.input = json.at("input"),
                  .batch = json.at("batch"),
                  .processor_s = json.at("processor_s"),
                  .others_s = json.at("others_s"),
                  .window_s = json.at("window_s"),
                  .in_place = json.at("in_place"),
                  .page_faults = json.at("page_faults"),
                  .distance_s = json.at("distance_s"),
                  .shares_core = json.at("shares_core"),
                  .affinity = json.at("affinity").get<std::vector<int>>(),
                  .allocated_bytes = json.at("allocated_bytes"),
                  .held = json.at("held")};
  if (!json.at("allocations").is_null()) facts.allocations = json.at("allocations").get<std::uint64_t>();
  return facts;
}

ordered_json disturbance_json(const Disturbance& d) {
  return {d.core_share,
          d.device_share,
          d.waited_share,
          d.throttled_share,
          d.elsewhere,
          d.pages_read,
          d.is_traced,
          d.stopped_share,
          d.clock_share,
          or_null(d.interrupts_per_s),
          or_null(d.huge_page_share),
          d.huge_pages_changed};
}

Disturbance disturbance_from_json(const ordered_json& json) {
  const auto known = [](const ordered_json& number) {
    return number.is_null() ? std::nullopt : std::optional{number.get<double>()};
  };
  return {.core_share = json.at(0),
          .device_share = json.at(1),
          .waited_share = json.at(2),
          .throttled_share = json.at(3),
          .elsewhere = json.at(4),
          .pages_read = json.at(5),
          .stopped_share = json.at(7),
          .is_traced = json.at(6),
          .clock_share = json.at(8),
          .interrupts_per_s = known(json.at(9)),
          .huge_page_share = known(json.at(10)),
          .huge_pages_changed = json.at(11)};
}

Sample sample_from_json(const ordered_json& json) {
  Sample sample;
  sample.seconds = json.at("seconds");
  sample.disturbance = disturbance_from_json(json.at("disturbance"));
  sample.facts = facts_from_json(json.at("facts"));
  sample.clock_hz = json.at("clock_hz");
  sample.counters = json.at("counters").get<CounterValues>();
  for (const ordered_json& phase : json.at("phases")) {
    sample.phases.push_back({.name = phase.at(0), .pass = phase.at(1), .seconds = phase.at(2), .lane = phase.at(3)});
  }
  return sample;
}

struct EventWriter {
  ordered_json operator()(const event::Ready& e) const {
    return {{"event", "ready"},
            {"counters_reason", e.counters_reason.empty() ? ordered_json() : ordered_json(e.counters_reason)},
            {"libraries", e.libraries}};
  }
  ordered_json operator()(const event::InputMade& e) const {
    return {{"event", "input"},
            {"entropy_bits", or_null(e.entropy_bits)},
            {"device", or_null(e.device)},
            {"digest", e.digest}};
  }
  ordered_json operator()(const event::NoInput& e) const { return {{"event", "no input"}, {"reason", e.reason}}; }
  ordered_json operator()(const event::Prepared& e) const {
    return {{"event", "prepared"}, {"cell", e.cell}, {"scratch_bytes", e.scratch_bytes}, {"affinity", e.affinity}};
  }
  ordered_json operator()(const event::SampleTaken& e) const {
    return {{"event", "sample"},
            {"cell", e.cell},
            {"seconds", e.sample.seconds},
            {"clock_hz", e.sample.clock_hz},
            {"disturbance", disturbance_json(e.sample.disturbance)},
            {"facts", facts_json(e.sample.facts)},
            {"phases", phases_json(e.sample.phases)},
            {"counters", e.sample.counters},
            {"verification", to_json(e.verification)},
            {"spent_s", e.spent_s}};
  }
  ordered_json operator()(const event::TurnOver& e) const {
    return {{"event", "turn over"}, {"cell", e.cell}, {"called_s", e.called_s}};
  }
  ordered_json operator()(const event::EnergyTaken& e) const {
    return {{"event", "energy"}, {"cell", e.cell}, {"reason", e.energy.reason}, {"energy", to_json(e.energy)}};
  }
  ordered_json operator()(const event::Lost& e) const {
    return {{"event", "lost"},
            {"cell", e.cell},
            {"status", to_name(e.status)},
            {"code", to_name(e.code)},
            {"reason", e.reason},
            {"limit", e.limit},
            {"verification", or_null(e.verification)}};
  }
  ordered_json operator()(const event::Leaving&) const { return {{"event", "leaving"}}; }
  ordered_json operator()(const event::BlockDone&) const { return {{"event", "block done"}}; }
};

}  // namespace

ordered_json to_json(const BlockTask& task) {
  ordered_json cells = ordered_json::array();
  for (std::size_t i = 0; i < task.cells.size(); ++i) {
    ordered_json samples = ordered_json::array();
    for (const TimedSample& sample : task.samples[i]) {
      samples.push_back({sample.seconds, disturbance_json(sample.disturbance)});
    }
    cells.push_back({{"case", message_from_case(task.cells[i].subject)},
                     {"protocol", to_json(task.cells[i].protocol)},
                     {"samples", samples},
                     {"turn", task.turns[i].number},
                     {"samples_before", task.turns[i].samples_before},
                     {"spent_s", task.spent_s[i]}});
  }
  return {{"cells", cells},
          {"time_left_s", task.time_left_s ? ordered_json(*task.time_left_s) : ordered_json()},
          {"meters_energy", task.meters_energy},
          {"wait_for_quiet", task.wait_for_quiet},
          {"huge_pages", task.huge_pages},
          {"first_round", task.first_round},
          {"order_seed", task.order_seed},
          {"dump", task.dump}};
}

BlockTask task_from_json(const ordered_json& json) {
  BlockTask task;
  for (const ordered_json& cell : json.at("cells")) {
    task.cells.push_back({.subject = case_from_message(cell.at("case")),
                          .protocol = read_protocol(JsonField{cell.at("protocol"), "protocol"}, {})});
    task.samples.emplace_back();
    for (const ordered_json& sample : cell.at("samples")) {
      task.samples.back().push_back({.seconds = sample.at(0), .disturbance = disturbance_from_json(sample.at(1))});
    }
    task.turns.push_back({.number = cell.at("turn"), .samples_before = cell.at("samples_before")});
    task.spent_s.push_back(cell.at("spent_s"));
  }
  task.meters_energy = json.at("meters_energy");
  task.wait_for_quiet = json.at("wait_for_quiet");
  task.huge_pages = json.at("huge_pages");
  if (!json.at("time_left_s").is_null()) task.time_left_s = json.at("time_left_s").get<double>();
  task.first_round = json.at("first_round");
  task.order_seed = json.at("order_seed");
  task.dump = json.at("dump");
  return task;
}

ordered_json to_json(const WorkerEvent& event) {
  return std::visit(EventWriter{}, event);
}

WorkerEvent event_from_json(const ordered_json& json) {
  const std::string name = json.at("event");
  const auto cell = [&] { return json.at("cell").get<std::size_t>(); };
  const auto verification = [&]() -> std::optional<Verification> {
    if (json.at("verification").is_null()) return std::nullopt;
    return verification_from_json(json.at("verification"));
  };
  if (name == "ready") {
    return event::Ready{.counters_reason = text_or_empty(json.at("counters_reason")),
                        .libraries = json.at("libraries")};
  }
  if (name == "input") {
    event::InputMade made;
    if (!json.at("entropy_bits").is_null()) made.entropy_bits = json.at("entropy_bits").get<double>();
    made.digest = json.at("digest");
    if (!json.at("device").is_null()) made.device = device_facts_from_json(json.at("device"));
    return made;
  }
  if (name == "no input") return event::NoInput{.reason = json.at("reason")};
  if (name == "prepared") {
    return event::Prepared{.cell = cell(),
                           .scratch_bytes = json.at("scratch_bytes"),
                           .affinity = json.at("affinity").get<std::vector<int>>()};
  }
  if (name == "sample") {
    return event::SampleTaken{.cell = cell(),
                              .sample = sample_from_json(json),
                              .verification = verification_from_json(json.at("verification")),
                              .spent_s = json.at("spent_s")};
  }
  if (name == "turn over") {
    return event::TurnOver{.cell = cell(), .called_s = json.at("called_s").get<std::vector<double>>()};
  }
  if (name == "energy") {
    const std::string reason = json.at("reason");
    return event::EnergyTaken{.cell = cell(),
                              .energy = reason.empty() ? energy_from_json(json.at("energy")) : no_energy(reason)};
  }
  if (name == "lost") {
    return event::Lost{.cell = cell(),
                       .status = named<Status>(json, "status"),
                       .code = named<ReasonCode>(json, "code"),
                       .reason = json.at("reason"),
                       .verification = verification(),
                       .limit = json.at("limit")};
  }
  if (name == "leaving") return event::Leaving{};
  if (name == "block done") return event::BlockDone{};
  throw std::runtime_error(fmt::format("a worker sent an unknown event '{}'", name));
}

}  // namespace sortlab

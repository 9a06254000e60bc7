#include "harness/plan/resume.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "harness/cell/cell_id.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/work.hpp"
#include "harness/record/run_order.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

struct KnownCell {
  const ordered_json* newest = nullptr;
  int times = 0;  ///< records with a time
};

/// The records of each key, of sorts and components.
using Known = std::map<std::string, KnownCell>;

Known measurements_in(const std::vector<ordered_json>& records) {
  Known known;
  for (const ordered_json* const record : oldest_first(records)) {
    KnownCell& cell = known[record->at("key").get<std::string>()];
    cell.newest = record;
    cell.times += record->at("status") == "ok" ? 1 : 0;
  }
  return known;
}

/// True if the samples of `record` sorted inputs of their own, or the same one, as `cell` asks. Records from before
/// there was a choice sorted the same one; only in times of small inputs does that show.
bool has_asked_inputs(const ordered_json& record, const Cell& cell) {
  const ordered_json protocol = record.value("protocol", ordered_json::object());
  const bool same = !protocol.is_object() || protocol.value("input", ordered_json("same")) != "fresh";
  return same == cell.protocol.same_input || !is_primed(cell.subject);
}

/// True if the record has the cell's energy, or the reason why there is none, where that is asked for.
bool has_asked_energy(const ordered_json& record, const Cell& cell) {
  return !cell.protocol.energy || record.contains("energy");
}

/// Signals that no sort raises by a fault of its own: a worker that one of them ended is measured again.
constexpr std::array<std::string_view, 13> kFromOutside{"SIGKILL", "SIGTERM",   "SIGINT",  "SIGHUP",  "SIGQUIT",
                                                        "SIGUSR1", "SIGUSR2",   "SIGXCPU", "SIGALRM", "SIGVTALRM",
                                                        "SIGPROF", "SIGSTKFLT", "SIGSYS"};

/// True if `record` settles its cell.
bool settles(const ordered_json& record, const Cell& cell, bool retry) {
  const std::string status = record.at("status");
  if (status == "ok") return has_asked_inputs(record, cell) && has_asked_energy(record, cell);
  if (status == "skipped") return reason_to_skip(cell).has_value();
  if (retry) return false;
  return !(status == "crashed" && std::ranges::count(kFromOutside, record.value("signal", "")) > 0);
}

}  // namespace

Selection resume(const std::vector<Block>& blocks, const std::vector<ordered_json>& before, const Repeats& repeats) {
  const Known known = measurements_in(before);
  Selection selection;
  std::vector<Block> disturbed;  // run after the inputs with unmeasured cells
  for (const Block& block : blocks) {
    std::vector<const KnownCell*> settled;  // null: to run
    bool any_unmeasured = false;
    bool any_disturbed = false;
    for (const Cell& cell : block) {
      const auto found = known.find(resume_key(cell.subject, machine_id()));
      const bool is_settled = found != known.end() && settles(*found->second.newest, cell, repeats.retry);
      settled.push_back(is_settled ? &found->second : nullptr);
      any_unmeasured = any_unmeasured || (!is_settled && !reason_to_skip(cell));
      any_disturbed = any_disturbed || (is_settled && found->second.times <= repeats.again &&
                                        found->second.newest->value("disturbed", false));
    }
    Block rest;
    for (std::size_t i = 0; i < block.size(); ++i) {
      const KnownCell* const cell = settled[i];
      const bool repeated = (any_unmeasured || any_disturbed) && cell != nullptr &&
                            cell->newest->at("status") == "ok" && cell->times <= repeats.again;
      if (cell == nullptr || repeated) {
        rest.push_back(block[i]);
      } else {
        selection.done.emplace_back(block[i], cell->newest);
      }
    }
    if (rest.empty()) continue;
    (any_disturbed && !any_unmeasured ? disturbed : selection.to_run).push_back(std::move(rest));
  }
  std::ranges::move(disturbed, std::back_inserter(selection.to_run));
  return selection;
}

}  // namespace sortlab

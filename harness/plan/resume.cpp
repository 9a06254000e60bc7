#include "harness/plan/resume.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "harness/cell/cell_id.hpp"
#include "harness/machine/machine.hpp"
#include "harness/plan/work.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// The newest record of each key, for sorts and components.
using Known = std::map<std::string, const ordered_json*>;

Known measurements_in(const std::vector<ordered_json>& records) {
  Known known;
  for (const ordered_json& record : records) {
    const bool measured = record.at("kind") == "measurement" || record.at("kind") == "component";
    if (measured && record.contains("key") && record["key"].is_string() && record.contains("status") &&
        record["status"].is_string() && record.contains("reason") && record.contains("expected")) {
      known[record["key"].get<std::string>()] = &record;
    }
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

/// True if `record` settles its cell.
bool settles(const ordered_json& record, const Cell& cell, bool retry) {
  const std::string status = record.at("status");
  if (status == "ok") return has_asked_inputs(record, cell);
  if (status == "skipped") return reason_to_skip(cell).has_value();
  if (retry) return false;
  const std::string signal = record.value("signal", "");
  return !(status == "crashed" && (signal == "SIGKILL" || signal == "SIGTERM" || signal == "SIGINT" ||
                                   signal == "SIGHUP" || signal == "SIGXCPU"));
}

}  // namespace

Selection resume(const std::vector<Block>& blocks, const std::vector<ordered_json>& before, bool retry) {
  const Known known = measurements_in(before);
  Selection selection;
  for (const Block& block : blocks) {
    Block rest;
    for (const Cell& cell : block) {
      const auto found = known.find(resume_key(cell.subject, machine_id()));
      if (found != known.end() && settles(*found->second, cell, retry)) {
        selection.done.emplace_back(cell, found->second);
      } else {
        rest.push_back(cell);
      }
    }
    if (!rest.empty()) selection.to_run.push_back(std::move(rest));
  }
  return selection;
}

}  // namespace sortlab

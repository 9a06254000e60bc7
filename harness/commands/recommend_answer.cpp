#include "harness/commands/recommend_answer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/printable.hpp"
#include "harness/predict/profiles.hpp"
#include "harness/predict/workload.hpp"
#include "harness/run/duration.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

/// Prediction of a component or hardware model for this machine.
struct PredictedHere {
  double seconds = 0;
  std::string kind;
  std::string why;  ///< binding_text()
};

std::optional<PredictedHere> predicted_here(const Case& c, Views& views) {
  const MachineProfile* const here = local_profile();
  const MachineProfile* const profile = here == nullptr ? nullptr : runs_on(c, *here);
  if (profile == nullptr) return std::nullopt;
  for (const Model* model : algorithm_models(c.algorithm->info().name)) {
    const ModelKind kind = model->info().kind;
    if (kind != ModelKind::component && kind != ModelKind::hardware) continue;
    try {
      const Prediction prediction = checked_prediction(*model, make_workload(c), views.of(c), *profile);
      return PredictedHere{
          .seconds = prediction.seconds, .kind = std::string{to_name(kind)}, .why = binding_text(prediction.phases)};
    } catch (const std::exception&) {  // a quantity is missing, or the model declines
      continue;
    }
  }
  return std::nullopt;
}

const std::string& sort_name(const Expected& one) {
  return one.cell.subject.algorithm->info().name;
}

ordered_json sorts_json(const std::vector<Expected>& found) {
  Views views;
  ordered_json list = ordered_json::array();
  for (const Expected& one : found) {
    const auto predicted = predicted_here(one.cell.subject, views);
    list.push_back({{"algorithm", one.cell.subject.algorithm->info().name},
                    {"threads", one.cell.subject.threads},
                    {"seconds", one.seconds},
                    {"ci95_s", one.is_whole ? ordered_json(one.interval) : ordered_json()},
                    {"from", one.is_whole ? "measured" : "scaled from a part"},
                    {"scratch", one.scratch ? ordered_json(*one.scratch) : ordered_json()},
                    {"predicted_s", predicted ? ordered_json(predicted->seconds) : ordered_json()},
                    {"model_kind", predicted ? ordered_json(predicted->kind) : ordered_json()},
                    {"why", predicted && !predicted->why.empty() ? ordered_json(predicted->why) : ordered_json()}});
  }
  return list;
}

std::string sorts_text(const std::vector<Expected>& found) {
  Views views;
  std::vector<std::vector<std::string>> rows;
  constexpr std::size_t shown = 12;
  for (const Expected& one : found) {
    if (rows.size() == shown) break;
    const auto predicted = predicted_here(one.cell.subject, views);
    rows.push_back({fmt::format("{}", rows.size() + 1), one.cell.subject.algorithm->info().name,
                    fmt::format("{}", one.cell.subject.threads), duration_text(one.seconds),
                    one.is_whole
                        ? fmt::format("{} to {}", duration_text(one.interval[0]), duration_text(one.interval[1]))
                        : "scaled from a part",
                    fmt::format("{:.2f}", one.seconds / found.front().seconds),
                    one.scratch ? fmt::format("{:.2f}x", *one.scratch) : "?",
                    predicted ? fmt::format("{} ({})", duration_text(predicted->seconds), predicted->kind) : "-",
                    predicted && !predicted->why.empty() ? predicted->why : "-"});
  }
  std::string text =
      table({"", "sort", "threads", "time", "95 % interval", "of the first", "scratch", "predicted", "why"}, rows);
  std::set<std::string> slower;
  for (std::size_t i = rows.size(); i < found.size(); ++i) slower.insert(sort_name(found[i]));
  if (!slower.empty()) {
    text += fmt::format("slower: {:.1f} times the first or more: {}\n",
                        found[rows.size()].seconds / found.front().seconds, fmt::join(slower, ", "));
  }
  if (local_profile() == nullptr) {
    text += "This machine is not calibrated: after `sortlab calibrate --quick`, models say what binds each sort.\n";
  }
  return text;
}

std::string sentence(const std::vector<Expected>& found, const std::optional<Elsewhere>& elsewhere) {
  const Expected& best = found.front();
  const Case& c = best.cell.subject;
  const auto usual = std::ranges::find_if(
      found, [](const Expected& one) { return one.cell.subject.algorithm->info().name == "std_sort"; });
  std::string text =
      fmt::format("On this machine, {} sorts the {} keys of {} fastest: in {}", c.algorithm->info().name, c.n,
                  printable(unescaped_text(c.distribution.parameters.word("name"))), duration_text(best.seconds));
  if (c.threads > 1) text += fmt::format(" on {} threads", c.threads);
  if (usual != found.end() && usual->cell.subject.algorithm != c.algorithm) {
    text += fmt::format(", {:.2g} times as fast as std::sort", usual->seconds / best.seconds);
  }
  for (const Expected& next : found) {
    const bool overlaps = next.is_whole && best.is_whole && next.interval[0] <= best.interval[1];
    if (next.cell.subject.algorithm != c.algorithm && overlaps) {
      text += fmt::format("; {} may be as fast", next.cell.subject.algorithm->info().name);
      break;
    }
  }
  if (elsewhere) text += "; " + elsewhere_clause(*elsewhere);
  return text + ".\n";
}

}  // namespace

std::string recommendation_text(const Recommendation& answer) {
  std::string text = sorts_text(answer.sorts);
  for (const auto& [reason, names] : answer.left_out) text += fmt::format("left out: {}: {}\n", join(names), reason);
  if (answer.elsewhere) text += elsewhere_text(*answer.elsewhere);
  return text + sentence(answer.sorts, answer.elsewhere);
}

ordered_json to_json(const Recommendation& answer) {
  const Case& first = answer.sorts.front().cell.subject;
  return {{"kind", "recommendation"},
          {"input", first.distribution.text},
          {"key_type", to_name(first.key)},
          {"n", first.n},
          {"sorts", sorts_json(answer.sorts)},
          {"left_out", answer.left_out},
          {"elsewhere", answer.elsewhere ? to_json(*answer.elsewhere) : ordered_json()},
          {"sentence", sentence(answer.sorts, answer.elsewhere)}};
}

}  // namespace sortlab

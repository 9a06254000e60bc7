#include "harness/measure/runnable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "harness/cell/problem.hpp"

namespace sortlab {
namespace {

class WholeSort final : public Runnable {
 public:
  WholeSort(std::unique_ptr<Sorter> sorter, const Postcondition& postcondition)
      : sorter_(std::move(sorter)), postcondition_(postcondition) {}

  std::uint64_t scratch_bytes() const override { return sorter_->scratch_bytes(); }
  Buffers run(const Buffers& data, PhaseTimer& phases) override { return sorter_->sort(data, phases); }
  std::optional<double> own_seconds() const override { return sorter_->own_seconds(); }
  Postcondition postcondition() const override { return postcondition_; }

 private:
  std::unique_ptr<Sorter> sorter_;
  Postcondition postcondition_;
};

/// Phases that one sort reports, at most: they are for passes, not for tiles.
constexpr std::size_t kMaxPhases = 4096;

bool is_same_phase(const PhaseSpan& a, const PhaseSpan& b) {
  return a.name == b.name && a.pass == b.pass;
}

/// A lane's stays in its phases: spans of one phase that no other span parts are one stay, with what lies between them.
std::vector<PhaseSpan> stays_in_phases(std::vector<PhaseSpan> lane) {
  std::ranges::stable_sort(lane, {}, &PhaseSpan::begin_ns);
  std::vector<PhaseSpan> stays;
  for (const PhaseSpan& span : lane) {
    if (!stays.empty() && is_same_phase(stays.back(), span)) {
      stays.back().end_ns = std::max(stays.back().end_ns, span.end_ns);
    } else {
      stays.push_back(span);
    }
  }
  return stays;
}

/// Phases of the given lanes together, recorded as those of `lane`.
std::vector<PhaseTime> times_in(std::span<const std::vector<PhaseSpan>> lanes, int lane) {
  std::vector<PhaseSpan> stays;
  for (const auto& spans : lanes) std::ranges::copy(stays_in_phases(spans), std::back_inserter(stays));
  std::ranges::stable_sort(stays, {}, &PhaseSpan::begin_ns);

  struct Phase {
    PhaseSpan last;  // its end: until when the phase is accounted for
    std::int64_t ns = 0;
  };
  std::vector<Phase> phases;
  for (const PhaseSpan& stay : stays) {
    auto phase = std::ranges::find_if(phases, [&](const Phase& p) { return is_same_phase(p.last, stay); });
    if (phase == phases.end()) {
      phase = phases.insert(phases.end(), {.last = stay});
      phase->last.end_ns = stay.begin_ns;
    }
    phase->ns += std::max<std::int64_t>(0, stay.end_ns - std::max(stay.begin_ns, phase->last.end_ns));
    phase->last.end_ns = std::max(phase->last.end_ns, stay.end_ns);
  }
  std::vector<PhaseTime> times;
  for (const Phase& phase : phases) {
    times.push_back({.name = std::string{phase.last.name},
                     .pass = phase.last.pass,
                     .seconds = 1e-9 * static_cast<double>(phase.ns),
                     .lane = lane});
  }
  return times;
}

}  // namespace

std::unique_ptr<Runnable> prepare(const Case& c, const Resources& resources) {
  if (c.component != nullptr) return c.component->prepare(case_problem(c), c.parameters, resources);
  return whole_sort(c, c.algorithm->prepare(case_problem(c), c.parameters, resources));
}

std::unique_ptr<Runnable> whole_sort(const Case& c, std::unique_ptr<Sorter> sorter) {
  return std::make_unique<WholeSort>(std::move(sorter), Postcondition{.order = c.algorithm->order(c.parameters),
                                                                      .stable = c.algorithm->stable(c.parameters),
                                                                      .layout = c.layout});
}

const std::vector<std::string>& phase_names(const Case& c) {
  return c.component != nullptr ? c.component->phases : c.algorithm->info().phases;
}

std::optional<Reason> fault_in_phases(const PhaseTimer& timer, const Case& c) {
  std::size_t spans = 0;
  for (const auto& lane : timer.lanes()) {
    for (const PhaseSpan& span : lane) {
      if (++spans > kMaxPhases) {
        return Reason{ReasonCode::phases, fmt::format("reports more than {} phases in one call", kMaxPhases)};
      }
      if (std::ranges::count(phase_names(c), span.name) == 0) {
        return Reason{ReasonCode::phases,
                      fmt::format("reports the phase '{}', which is not one of Info::phases", span.name.substr(0, 40))};
      }
    }
  }
  return std::nullopt;
}

std::vector<PhaseTime> phase_times(const PhaseTimer& timer) {
  return times_in(timer.lanes(), -1);
}

std::vector<PhaseTime> phase_times_by_lane(const PhaseTimer& timer) {
  std::vector<PhaseTime> times;
  for (std::size_t lane = 0; lane < timer.lanes().size(); ++lane) {
    std::ranges::move(times_in({&timer.lanes()[lane], 1}, static_cast<int>(lane)), std::back_inserter(times));
  }
  return times;
}

}  // namespace sortlab

#include "harness/measure/runnable.hpp"

#include <algorithm>

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

std::vector<PhaseTime> phase_times(const PhaseTimer& timer) {
  std::vector<PhaseSpan> merged;
  for (const auto& lane : timer.lanes()) {
    for (const PhaseSpan& span : lane) {
      const auto same =
          std::ranges::find_if(merged, [&](const PhaseSpan& m) { return m.name == span.name && m.pass == span.pass; });
      if (same == merged.end()) {
        merged.push_back(span);
      } else {
        same->begin_ns = std::min(same->begin_ns, span.begin_ns);
        same->end_ns = std::max(same->end_ns, span.end_ns);
      }
    }
  }
  std::ranges::stable_sort(merged, {}, &PhaseSpan::begin_ns);
  std::vector<PhaseTime> phases;
  for (const PhaseSpan& span : merged) {
    phases.push_back({.name = std::string{span.name},
                      .pass = span.pass,
                      .seconds = 1e-9 * static_cast<double>(span.end_ns - span.begin_ns)});
  }
  return phases;
}

}  // namespace sortlab

#include "harness/measure/runnable.hpp"

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

}  // namespace sortlab

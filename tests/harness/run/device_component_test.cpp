// Every component of device algorithms, set up, run and verified as in a measurement; and spoiled components, which are
// caught.
#include <fmt/format.h>

#include <map>

#include "harness/cell/case_text.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/testbed.hpp"
#include "harness/plan/sweep.hpp"
#include "tests/support/device_test.hpp"

namespace sortlab {
namespace {

class DeviceComponent : public DeviceTest {};

const Testbed::Doing kNobody = [](Step) {};

/// The parameters to test: the defaults, the presets, and each preset with each word of each parameter.
std::vector<AlgorithmChoice> parameter_choices(const Component& component) {
  const Algorithm& algorithm = algorithm_named(component.algorithm);
  std::vector<AlgorithmChoice> choices{{.algorithm = &algorithm, .preset = "", .component = &component}};
  for (const auto& [preset, parameters] : algorithm.info().presets) {
    choices.push_back({.algorithm = &algorithm, .preset = preset, .component = &component});
    for (const Parameter& parameter : algorithm.info().parameters) {
      for (const std::string& word : parameter.choices) {
        choices.push_back({.algorithm = &algorithm,
                           .preset = preset,
                           .parameters = {{parameter.name, word}},
                           .component = &component});
      }
      if (parameter.name == "items") {
        for (const char* items : {"2", "8"}) {
          if (std::stoi(items) < parameter.range.smallest) continue;
          choices.push_back(
              {.algorithm = &algorithm, .preset = preset, .parameters = {{"items", items}}, .component = &component});
        }
      }
    }
  }
  return choices;
}

/// The cells that the component does not decline.
std::vector<Cell> cells(const Component& component, const std::vector<std::uint64_t>& n,
                        const std::vector<std::string>& distributions) {
  Sweep sweep;
  sweep.algorithms = parameter_choices(component);
  sweep.keys.assign(kKeyTypes.begin(), kKeyTypes.end());
  sweep.values.assign(kValueTypes.begin(), kValueTypes.end());
  sweep.n = n;
  for (const std::string& text : distributions) sweep.distributions.push_back(parse_distribution(text));
  std::vector<Cell> all = expand_sweeps({sweep});
  std::erase_if(all, [](const Cell& cell) { return refusal(cell.subject).has_value(); });
  return all;
}

TEST_F(DeviceComponent, EachKeepsItsPostcondition) {
  std::map<std::string, int> ran;
  for (const Component* component : all_components()) {
    if (algorithm_named(component->algorithm).info().runs_on != Processor::device) continue;
    ran[component->algorithm + "/" + component->name] = 0;
    for (const Cell& cell :
         cells(*component, {1, 2, 1023, 1024, 1025, 4097, 100003}, {"uniform", "thearling:ands=3", "constant"})) {
      const Case& c = cell.subject;
      const auto testbed = make_device_testbed(c);
      const auto runnable = testbed->prepare(c);
      PhaseTimer phases = testbed->phase_timer(c);
      for (int run = 0; run < component->iterations + 1; ++run) {
        const TimedSort timed = testbed->sort(c, *runnable, phases, {}, kNobody);
        const Verification verdict = testbed->verify(c, *runnable, timed.outputs.front());
        ASSERT_TRUE(verdict.ok()) << case_text(c) << ": " << verdict.reason << " (" << verdict.ordered_by << ")";
      }
      ++ran[component->algorithm + "/" + component->name];
    }
  }
  EXPECT_FALSE(ran.empty());
  for (const auto& [name, cells] : ran) {
    EXPECT_GE(cells, 21) << name;
    fmt::print("{}: {} cells\n", name, cells);
  }
}

/// Spoils the output that another component passes to the verifier.
class Spoiled final : public Runnable {
 public:
  using Spoil = void (*)(const Buffers&);
  Spoiled(std::unique_ptr<Runnable> inner, Spoil spoil) : inner_(std::move(inner)), spoil_(spoil) {}
  void set_up(const Buffers& data) override { inner_->set_up(data); }
  Buffers run(const Buffers& data, PhaseTimer& phases) override { return inner_->run(data, phases); }
  Buffers finish(const Buffers& output) override {
    const Buffers finished = inner_->finish(output);
    check(cudaDeviceSynchronize());
    spoil_(finished);
    check(cudaDeviceSynchronize());
    return finished;
  }
  Postcondition postcondition() const override { return inner_->postcondition(); }

 private:
  std::unique_ptr<Runnable> inner_;
  Spoil spoil_;
};

/// Swaps elements `a` and `b` of an array with `width` bytes per element.
void swap_elements(const Array& array, std::uint64_t a, std::uint64_t b, std::size_t width) {
  auto* const bytes = static_cast<std::byte*>(array.data);
  std::vector<std::byte> kept(2 * width);
  copy_to_host(kept.data(), bytes + a * width, width);
  copy_to_host(kept.data() + width, bytes + b * width, width);
  copy_to_device(bytes + b * width, kept.data(), width);
  copy_to_device(bytes + a * width, kept.data() + width, width);
}
/// Swaps pairs a and b in any layout.
void swap_pairs(const Buffers& output, std::uint64_t a, std::uint64_t b) {
  const bool together = output.values.count == 0;
  swap_elements(output.keys, a, b, together ? 8 : 4);
  if (!together) swap_elements(output.values, a, b, 4);
}

TEST_F(DeviceComponent, SpoiledOnesAreCaught) {
  const std::pair<const char*, Spoiled::Spoil> spoils[] = {
      {"neighbours of one digit or of two", [](const Buffers& o) { swap_pairs(o, 700, 701); }},
      {"the ends", [](const Buffers& o) { swap_pairs(o, 0, o.keys.count - 1); }},
      {"keys without their values", [](const Buffers& o) { swap_elements(o.keys, 10, 2000, 4); }},
      {"nothing", [](const Buffers& o) { check(cudaMemset(o.keys.data, 0, 4 * o.keys.count)); }},
  };
  int caught = 0;
  for (const Component* component : all_components()) {
    // One set of parameters is enough. Values tell the order of two keys with the same digit.
    const std::vector<Cell> all = cells(*component, {5000}, {"uniform"});
    const auto cell = std::ranges::find_if(
        all, [](const Cell& one) { return one.subject.key == KeyType::u32 && one.subject.value == ValueType::u32; });
    if (cell == all.end()) continue;
    const Case& c = cell->subject;
    for (const auto& [what, spoil] : spoils) {
      const auto testbed = make_device_testbed(c);
      Spoiled runnable{testbed->prepare(c), spoil};
      PhaseTimer phases = testbed->phase_timer(c);
      const auto is_found = [&] {
        try {
          const TimedSort timed = testbed->sort(c, runnable, phases, {}, kNobody);
          return !testbed->verify(c, runnable, timed.outputs.front()).ok();
        } catch (const WrongOutput&) {  // thrown for the sort that measures the phases
          return true;
        }
      };
      EXPECT_TRUE(is_found()) << case_text(c) << ": " << what;
      ++caught;
    }
  }
  EXPECT_GE(caught, 32);
}

}  // namespace
}  // namespace sortlab

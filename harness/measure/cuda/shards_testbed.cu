// Sorts on several devices, timed by events on the first lane: it begins when all lanes are idle, and ends when the
// first lane has waited for all others. Before each sort, the input is restored and the L2 caches flushed. These sorts
// wait for their devices, so their launches are not held back: gaps between them are part of their time.
#include <algorithm>
#include <map>

#include "core/cuda/stream_hold_and_clock.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "harness/measure/cuda/guarded.hpp"
#include "harness/measure/cuda/lanes.hpp"
#include "harness/measure/cuda/shards_input.hpp"
#include "harness/measure/cuda/stream_clock.hpp"
#include "harness/measure/sleeper.hpp"
#include "harness/verify/verify_device.hpp"

namespace sortlab {
namespace {

class ShardsTestbed final : public Testbed {
 public:
  explicit ShardsTestbed(const Case& c)
      : lanes_(c.devices),
        facts_(query_device_facts(lanes_.all()[0].device)),
        phase_clock_(lanes_.all()),
        input_(c, lanes_) {
    if (!c.devices.on_one) {
      std::vector<int> devices;
      for (const Lane& lane : lanes_.all()) devices.push_back(lane.device);
      facts_.links = query_links(devices);
    }
    lanes_.each([&](std::size_t) { flushed_.emplace_back(facts_.l2_bytes); });
  }

  std::optional<double> entropy_bits() const override { return input_.entropy_bits(); }
  std::optional<DeviceFacts> device() const override { return facts_; }
  Resources resources(const Case&) const override {
    return {.threads = 1,
            .cpus = {},
            .stream = lanes_.stream(0),
            .lanes = {lanes_.all().begin(), lanes_.all().end()},
            .reaches_peers = lanes_.reaches_peers()};
  }
  PhaseTimer phase_timer(const Case&) override {
    return PhaseTimer(static_cast<int>(lanes_.all().size()), &phase_clock_);
  }

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return guarded([&] {
      auto runnable = sortlab::prepare(c, resources(c));
      lanes_.synchronise();
      return runnable;
    });
  }

  void make_inputs(const std::vector<std::uint64_t>& numbers) override {
    guarded([&] { input_.make(numbers.front()); });
  }
  std::optional<std::string> damage() override {
    return guarded([&] { return input_.damage(); });
  }
  std::optional<Reason> lasting_harm() override {
    return guarded([&]() -> std::optional<Reason> {
      lanes_.each([](std::size_t) { check(cudaDeviceSynchronize()); });
      if (const auto found = input_.damage()) {
        return Reason{ReasonCode::outside_arrays, "it wrote outside its arrays: " + *found};
      }
      if (!input_.is_intact()) {
        return Reason{ReasonCode::original_overwritten, "it overwrote the original of its input"};
      }
      return std::nullopt;
    });
  }
  std::uint64_t seed() const override { return input_.seed(); }
  InputDigest digest() const override { return input_.digest(); }

  TimedSort warm_up(const Case&, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    return guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = make_ready(runnable);
      doing(Step::warming_up);
      TimedSort result;
      result.time.seconds = 1;  // not measured
      result.outputs.push_back({0, run(runnable, buffers, phases)});
      lanes_.synchronise();
      return result;
    });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const SampleSetting&,
                 const Doing& doing) override {
    return guarded([&] {
      phases.reset();
      int& with_phases = phases_taken_[&c];
      if (!phase_names(c).empty() && with_phases < kSortsWithPhases) {
        ++with_phases;
        sort_with_phases(c, runnable, phases, doing);
      }
      return timed(runnable, doing);
    });
  }

  SortedInput repeat(const Case&, Runnable& runnable, int times, bool sorts) override {
    return guarded([&] {
      PhaseTimer no_phases(static_cast<int>(lanes_.all().size()), &phase_clock_);
      SortedInput last;
      for (int i = 0; i < times; ++i) {
        const Buffers buffers = input_.restore();
        no_phases.reset();
        if (sorts) last = {0, run(runnable, buffers, no_phases)};
      }
      lanes_.synchronise();
      return last;
    });
  }

  Verification verify(const Case& c, Runnable& runnable, const SortedInput& sorted) override {
    return guarded([&] {
      return verify_on_devices(input_.digest(), sorted.output, case_problem(c), runnable.postcondition().stable,
                               lanes_.all());
    });
  }

  Buffers input(const Case&) override {
    return guarded([&] {
      const Buffers buffers = input_.restore();
      lanes_.synchronise();
      return buffers;
    });
  }

  void copy_to_host(void* to, const void* from, std::uint64_t bytes) override {
    guarded([&] { check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost)); });
  }

 private:
  /// Restores the input and flushes the caches, and waits until that is done.
  Buffers make_ready(Runnable& runnable) {
    const Buffers buffers = input_.restore();
    runnable.set_up(buffers);
    lanes_.each(
        [&](std::size_t i) { check(cudaMemsetAsync(flushed_[i].data(), 0, flushed_[i].size(), lanes_.stream(i))); });
    lanes_.synchronise();
    return buffers;
  }

  /// Runs the sort, and finds a CUDA error that it left unread.
  Buffers run(Runnable& runnable, const Buffers& buffers, PhaseTimer& phases) {
    const OnDevice on{lanes_.all()[0].device};
    const Buffers output = runnable.run(buffers, phases);
    if (const cudaError_t left = cudaPeekAtLastError(); left != cudaSuccess) {
      throw SortAtFault(ReasonCode::cuda_error, std::string{"left a CUDA error unread: "} + cudaGetErrorString(left));
    }
    return output;
  }

  void sort_with_phases(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) {
    doing(Step::restoring);
    const Buffers buffers = make_ready(runnable);
    doing(Step::sorting);
    phase_clock_.turn_on();
    const Buffers output = run(runnable, buffers, phases);
    lanes_.synchronise();
    phase_clock_.turn_off(phases);
    doing(Step::verifying);
    const Verification verification = verify(c, runnable, {0, output});
    if (!verification.ok()) throw WrongOutput("in the sort whose phases are read: " + verification.reason);
  }

  TimedSort timed(Runnable& runnable, const Doing& doing) {
    doing(Step::restoring);
    const Buffers buffers = make_ready(runnable);
    doing(Step::sorting);
    PhaseTimer no_phases(static_cast<int>(lanes_.all().size()), &phase_clock_);
    TimedSort result;
    const OnDevice on{lanes_.all()[0].device};
    const ThreadsAt before = ThreadsAt::now(&sleeper_);
    begin_.record(lanes_.stream(0));
    lanes_.others_wait_for_first();
    result.outputs.push_back({0, run(runnable, buffers, no_phases)});
    lanes_.first_waits_for_others();
    end_.record(lanes_.stream(0));
    lanes_.synchronise();
    const double stopped_s = stood_still_s(before, ThreadsAt::now(&sleeper_));
    clock_.watch(lanes_.stream(0));
    check(cudaStreamSynchronize(lanes_.stream(0)));
    result.time.seconds = std::max(seconds_between(begin_, end_), 1e-9);
    result.clock_hz = clock_.hz();
    result.time.disturbance.device_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
    result.time.disturbance.stopped_share = std::min(1.0, stopped_s / result.time.seconds);
    return result;
  }

  Lanes lanes_;
  DeviceFacts facts_;
  LanesClock phase_clock_;
  DeviceClock clock_;
  Event begin_;
  Event end_;
  const Sleeper sleeper_{};
  ShardsInput input_;
  std::vector<DeviceMemory> flushed_;        ///< as large as the L2 cache of each lane's device
  std::map<const Case*, int> phases_taken_;  ///< number of sorts that each cell ran for its phases
};

}  // namespace

std::unique_ptr<Testbed> make_shards_testbed(const Case& c) {
  return guarded([&] { return std::make_unique<ShardsTestbed>(c); });
}

}  // namespace sortlab

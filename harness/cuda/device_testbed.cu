// Sorts on a CUDA device, timed by events around the sort alone. The manner is NVBench's: the input is restored and the
// L2 cache flushed before each sort, and a kernel that waits for the host holds the stream while the sort's launches
// are queued behind it, so that their cost does not show as gaps. A sort that itself waits for the device cannot be
// held.
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "generators/device_fill.hpp"
#include "harness/cuda/device_facts.hpp"
#include "harness/cuda/stream.hpp"
#include "harness/cuda/stream_clock.hpp"
#include "harness/testbed.hpp"
#include "harness/verify_device.hpp"

namespace sortlab {
namespace {

/// Timed sorts of a cell beside which another is run with an event at each phase's begin and end.
constexpr int kSortsWithPhases = 5;

/// Errors of the device other than want of memory stay with the process.
template <class F>
auto guarded(F&& f) {
  try {
    return f();
  } catch (const DeviceError& error) {
    throw TestbedLost(error.what());
  }
}

class DeviceTestbed final : public Testbed {
 public:
  explicit DeviceTestbed(const Case& c)
      : facts_(facts_of(kDevice)),
        clock_(stream_),
        keys_(c.n * size_of(c.key)),
        sorted_(keys_.size()),
        values_(c.n * size_of(c.value)),
        flushed_(facts_.l2_bytes),
        entropy_bits_(c.distribution.distribution->entropy_bits(input_of(c))) {
    fill_on_device(c.distribution, input_of(c), keys_.data(), stream());
    digest_ = digest_on_device(restore(c), problem_of(c), stream());
  }

  std::optional<double> entropy_bits() const override { return entropy_bits_; }
  std::optional<DeviceFacts> device() const override { return facts_; }
  Resources resources(const Case&) const override {
    return {.threads = 1, .cpus = {}, .device = kDevice, .stream = stream()};
  }
  PhaseTimer phase_timer(const Case&) override { return PhaseTimer(1, &clock_); }

  std::unique_ptr<Sorter> prepare(const Case& c) override {
    return guarded([&] {
      auto sorter = c.algorithm->prepare(problem_of(c), c.parameters, resources(c));
      check(cudaStreamSynchronize(stream_));
      return sorter;
    });
  }

  void warm_up(const Case& c, Sorter& sorter, PhaseTimer& phases, const Doing& doing) override {
    guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = restore(c);
      check(cudaStreamSynchronize(stream_));
      doing(Step::warming_up);
      sorter.sort(buffers, phases);
      check(cudaStreamSynchronize(stream_));
    });
  }

  TimedSort sort(const Case& c, Sorter& sorter, PhaseTimer& phases, const Doing& doing) override {
    return guarded([&] {
      phases.reset();
      int& with_phases = phases_taken_[&c];
      const bool has_phases = !c.algorithm->info().phases.empty() && with_phases < kSortsWithPhases;
      if (has_phases) {
        ++with_phases;
        sort_with_phases(c, sorter, phases, doing);
      }
      return timed(c, sorter, doing);
    });
  }

  Verification verify(const Case& c, const Buffers& output) override {
    return guarded(
        [&] { return verify_on_device(digest_, output, problem_of(c), c.algorithm->info().stable, stream()); });
  }

 private:
  static constexpr int kDevice = 0;

  void* stream() const { return static_cast<cudaStream_t>(stream_); }

  Buffers restore(const Case& c) {
    const auto array = [](const DeviceMemory& memory, std::uint64_t count) {
      return Array{.data = memory.data(), .count = count, .space = MemorySpace::device, .device = kDevice};
    };
    check(cudaMemcpyAsync(sorted_.data(), keys_.data(), keys_.size(), cudaMemcpyDeviceToDevice, stream_));
    if (c.value == ValueType::none) return {.keys = array(sorted_, c.n), .values = {}};
    fill_values_on_device(c.value, c.n, values_.data(), stream());
    return {.keys = array(sorted_, c.n), .values = array(values_, c.n)};
  }

  void sort_with_phases(const Case& c, Sorter& sorter, PhaseTimer& phases, const Doing& doing) {
    doing(Step::restoring);
    const Buffers buffers = restore(c);
    check(cudaMemsetAsync(flushed_.data(), 0, flushed_.size(), stream_));
    check(cudaStreamSynchronize(stream_));
    doing(Step::sorting);
    clock_.turn_on();
    sorter.sort(buffers, phases);
    check(cudaStreamSynchronize(stream_));
    clock_.turn_off(phases);
  }

  TimedSort timed(const Case& c, Sorter& sorter, const Doing& doing) {
    // A kernel that is launched for the first time is loaded first, for which the driver waits for the device: then the
    // hold ends by itself, and the next try finds the kernel there.
    constexpr int tries = 2;
    if (!c.algorithm->info().synchronises && !never_held_.contains(&c)) {
      for (int i = 0; i < tries; ++i) {
        if (const auto result = timed(c, sorter, doing, true)) return *result;
      }
      never_held_.insert(&c);
    }
    return *timed(c, sorter, doing, false);
  }

  /// Nothing if the stream was to be held and the hold ended before all launches were queued.
  std::optional<TimedSort> timed(const Case& c, Sorter& sorter, const Doing& doing, bool held) {
    doing(Step::restoring);
    const Buffers buffers = restore(c);
    check(cudaMemsetAsync(flushed_.data(), 0, flushed_.size(), stream_));
    check(cudaStreamSynchronize(stream_));
    doing(Step::sorting);
    PhaseTimer no_phases(1, &clock_);
    TimedSort result;
    if (held) hold_.begin(stream_);
    begin_.record(stream_);
    try {
      result.output = sorter.sort(buffers, no_phases);
    } catch (...) {
      hold_.end();
      throw;
    }
    end_.record(stream_);
    const bool in_time = hold_.end();
    sm_clock_.watch(stream_);
    check(cudaStreamSynchronize(stream_));
    if (held && !in_time) return std::nullopt;
    result.time.seconds = std::max(seconds_between(begin_, end_), 1e-9);
    result.clock_hz = sm_clock_.hz();
    result.time.core_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
    return result;
  }

  DeviceFacts facts_;
  Stream stream_;
  StreamClock clock_;
  Event begin_;
  Event end_;
  StreamHold hold_;
  DeviceClock sm_clock_;
  DeviceMemory keys_;  ///< the input, kept
  DeviceMemory sorted_;
  DeviceMemory values_;
  DeviceMemory flushed_;  ///< as large as the L2 cache
  InputDigest digest_;
  std::optional<double> entropy_bits_;
  std::set<const Case*> never_held_;         ///< cells whose launches do not fit in the stream's queue
  std::map<const Case*, int> phases_taken_;  ///< sorts run for their phases, of each cell
};

}  // namespace

std::unique_ptr<Testbed> make_device_testbed(const Case& c) {
  return guarded([&] { return std::make_unique<DeviceTestbed>(c); });
}

}  // namespace sortlab

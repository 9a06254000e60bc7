// Sorts on a CUDA device, timed by events around the sort alone. The manner is NVBench's: the input is restored and the
// L2 cache flushed before each sort, and a kernel that waits for the host holds the stream while the sort's launches
// are queued behind it, so that their cost does not show as gaps. A sort that itself waits for the device cannot be
// held.
#include <algorithm>
#include <map>
#include <set>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "generators/device_fill.hpp"
#include "harness/cuda/stream_clock.hpp"
#include "harness/testbed.hpp"
#include "harness/verify_device.hpp"

namespace sortlab {
namespace {

/// Timed sorts of a cell beside which another is run with an event at each phase's begin and end.
constexpr int kSortsWithPhases = 5;
/// How long the stream is held at most, in nanoseconds: a sort that waits for the device would wait for ever.
constexpr std::uint64_t kLongestHold = 500'000'000;
/// How long the clock of the multiprocessors is watched, in nanoseconds.
constexpr std::uint64_t kClockWatched = 100'000;

__device__ std::uint64_t nanoseconds() {
  std::uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// Ends when the host writes 1, or by itself, and then writes 2.
__global__ void hold_stream(volatile int* released) {
  const std::uint64_t begin = nanoseconds();
  while (*released == 0) {
    if (nanoseconds() - begin > kLongestHold) *released = 2;
  }
}

/// Cycles a nanosecond of this multiprocessor.
__global__ void watch_clock(double* cycles_a_nanosecond) {
  // From step to step of the timer, which on some devices advances once a microsecond only.
  std::uint64_t begin = nanoseconds();
  for (const std::uint64_t before = begin; begin == before;) begin = nanoseconds();
  const std::int64_t cycles = clock64();
  std::uint64_t end = begin;
  while (end - begin < kClockWatched) end = nanoseconds();
  *cycles_a_nanosecond = static_cast<double>(clock64() - cycles) / static_cast<double>(end - begin);
}

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

DeviceFacts facts_of(int device) {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, device));
  int kilohertz = 0;
  int driver = 0;
  int runtime = 0;
  check(cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, device));
  check(cudaDriverGetVersion(&driver));
  check(cudaRuntimeGetVersion(&runtime));
  return {.name = properties.name,
          .compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor),
          .multiprocessors = properties.multiProcessorCount,
          .clock_hz = 1e3 * kilohertz,
          .memory_bytes = properties.totalGlobalMem,
          .l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize),
          .driver = version_text(driver),
          .runtime = version_text(runtime)};
}

class Stream {
 public:
  Stream() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { cudaStreamDestroy(stream_); }
  operator cudaStream_t() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A value that host and device both see.
template <class T>
class Shared {
 public:
  Shared() { check(cudaHostAlloc(&value_, sizeof(T), cudaHostAllocMapped)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  ~Shared() { cudaFreeHost(value_); }
  T* address() const { return value_; }
  volatile T& operator*() const { return *value_; }

 private:
  T* value_ = nullptr;
};

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

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return guarded([&] {
      auto runnable = sortlab::prepare(c, resources(c));
      check(cudaStreamSynchronize(stream_));
      return runnable;
    });
  }

  void warm_up(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = restore(c, runnable);
      check(cudaStreamSynchronize(stream_));
      doing(Step::warming_up);
      runnable.run(buffers, phases);
      check(cudaStreamSynchronize(stream_));
    });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) override {
    return guarded([&] {
      phases.reset();
      int& with_phases = phases_taken_[&c];
      const bool has_phases = !phases_of(c).empty() && with_phases < kSortsWithPhases;
      if (has_phases) {
        ++with_phases;
        sort_with_phases(c, runnable, phases, doing);
      }
      return timed(c, runnable, doing);
    });
  }

  Verification verify(const Case& c, Runnable& runnable, const Buffers& output) override {
    return guarded([&] {
      const Buffers finished = runnable.finish(output);
      const Postcondition wanted = runnable.postcondition();
      Problem problem = problem_of(c);
      problem.layout = wanted.layout;
      return verify_on_device(digest_, finished, problem, wanted.stable, stream(), wanted.order);
    });
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

  Buffers restore(const Case& c, Runnable& runnable) {
    const Buffers buffers = restore(c);
    runnable.set_up(buffers);
    return buffers;
  }

  void sort_with_phases(const Case& c, Runnable& runnable, PhaseTimer& phases, const Doing& doing) {
    doing(Step::restoring);
    const Buffers buffers = restore(c, runnable);
    check(cudaMemsetAsync(flushed_.data(), 0, flushed_.size(), stream_));
    check(cudaStreamSynchronize(stream_));
    doing(Step::sorting);
    clock_.turn_on();
    runnable.run(buffers, phases);
    check(cudaStreamSynchronize(stream_));
    clock_.turn_off(phases);
  }

  TimedSort timed(const Case& c, Runnable& runnable, const Doing& doing) {
    // A kernel that is launched for the first time is loaded first, for which the driver waits for the device: then the
    // hold ends by itself, and the next try finds the kernel there.
    constexpr int tries = 2;
    if (!c.algorithm->info().synchronises && !never_held_.contains(&c)) {
      for (int i = 0; i < tries; ++i) {
        if (const auto result = timed(c, runnable, doing, true)) return *result;
      }
      never_held_.insert(&c);
    }
    return *timed(c, runnable, doing, false);
  }

  /// Nothing if the stream was to be held and the hold ended before all launches were queued.
  std::optional<TimedSort> timed(const Case& c, Runnable& runnable, const Doing& doing, bool held) {
    doing(Step::restoring);
    const Buffers buffers = restore(c, runnable);
    check(cudaMemsetAsync(flushed_.data(), 0, flushed_.size(), stream_));
    check(cudaStreamSynchronize(stream_));
    doing(Step::sorting);
    PhaseTimer no_phases(1, &clock_);
    TimedSort result;
    *released_ = 0;
    if (held) {
      hold_stream<<<1, 1, 0, stream_>>>(released_.address());
      check_launch();
    }
    begin_.record(stream_);
    try {
      result.output = runnable.run(buffers, no_phases);
    } catch (...) {
      *released_ = 1;
      throw;
    }
    end_.record(stream_);
    const bool in_time = *released_ == 0;
    *released_ = 1;
    watch_clock<<<1, 1, 0, stream_>>>(cycles_a_nanosecond_.address());
    check_launch();
    check(cudaStreamSynchronize(stream_));
    if (held && !in_time) return std::nullopt;
    result.time.seconds = std::max(seconds_between(begin_, end_), 1e-9);
    result.clock_hz = 1e9 * *cycles_a_nanosecond_;
    result.time.core_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
    return result;
  }

  DeviceFacts facts_;
  Stream stream_;
  StreamClock clock_;
  Event begin_;
  Event end_;
  Shared<int> released_;
  Shared<double> cycles_a_nanosecond_;
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

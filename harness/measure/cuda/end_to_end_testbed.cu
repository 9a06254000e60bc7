// Sorts on a CUDA device of arrays in the host's memory, timed by the host's steady clock from the call until the
// sorted result is back: copy, sort and copy. What the caches of either side hold is what restoring leaves there.
#include "algorithms/common/adapters/end_to_end.hpp"
#include "core/affinity.hpp"
#include "core/cuda/stream.hpp"
#include "core/pages.hpp"
#include "harness/cell/problem.hpp"
#include "harness/measure/cuda/device_facts.hpp"
#include "harness/measure/cuda/device_input.hpp"
#include "harness/measure/cuda/guarded.hpp"
#include "harness/measure/cuda/stream_clock.hpp"
#include "harness/measure/timed_call.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

/// Memory of the host that a device copies from and to: page-locked, or like any other.
class HostArray {
 public:
  /// Throws std::bad_alloc.
  HostArray(HostMemory kind, std::uint64_t bytes) : kind_(kind), bytes_(bytes) {
    if (bytes == 0) return;
    if (kind == HostMemory::pinned) {
      check(cudaHostAlloc(&pinned_, bytes, cudaHostAllocDefault));
    } else {
      pageable_ = Pages(bytes, PageKind::huge);
    }
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() { cudaFreeHost(pinned_); }

  void* data() const { return kind_ == HostMemory::pinned ? pinned_ : pageable_.data(); }
  std::uint64_t bytes() const { return bytes_; }
  Array array(std::uint64_t count) const { return {.data = data(), .count = count}; }

 private:
  HostMemory kind_;
  std::uint64_t bytes_;
  void* pinned_ = nullptr;
  Pages pageable_;
};

class EndToEndTestbed final : public Testbed {
 public:
  explicit EndToEndTestbed(const Case& c)
      : facts_(facts_of(kDevice)),
        input_(c, stream()),
        keys_(c.host_memory, c.n * size_of(c.key)),
        values_(c.host_memory, c.n * size_of(c.value)),
        no_phases_(stream_) {}

  std::optional<double> entropy_bits() const override { return input_.entropy_bits(); }
  std::optional<DeviceFacts> device() const override { return facts_; }
  Resources resources(const Case&) const override { return {.threads = 1, .cpus = {}, .stream = stream()}; }
  PhaseTimer phase_timer(const Case&) override { return PhaseTimer(1, &no_phases_); }

  std::unique_ptr<Runnable> prepare(const Case& c) override {
    return guarded([&] {
      auto on_device = c.algorithm->prepare(problem_of(c), c.parameters, resources(c));
      auto runnable = whole_sort(c, end_to_end(std::move(on_device), problem_of(c), resources(c)));
      check(cudaStreamSynchronize(stream_));
      return runnable;
    });
  }

  void warm_up(const Case& c, Runnable& runnable, PhaseTimer&, const Doing& doing) override {
    guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = restore(c);
      doing(Step::warming_up);
      PhaseTimer phases = phase_timer(c);
      runnable.run(buffers, phases);
    });
  }

  TimedSort sort(const Case& c, Runnable& runnable, PhaseTimer&, const Doing& doing) override {
    return guarded([&] {
      doing(Step::restoring);
      const Buffers buffers = restore(c);
      doing(Step::sorting);
      PhaseTimer phases = phase_timer(c);
      TimedSort result;
      result.time.seconds = timed_call([&] { result.output = runnable.run(buffers, phases); });
      clock_.watch(stream_);
      check(cudaStreamSynchronize(stream_));
      result.clock_hz = clock_.hz();
      result.time.core_share = std::min(1.0, result.clock_hz / facts_.clock_hz);
      return result;
    });
  }

  Verification verify(const Case& c, Runnable& runnable, const Buffers& output) override {
    const auto threads = static_cast<int>(allowed_cpus().size());
    const Postcondition wanted = runnable.postcondition();
    return sortlab::verify(input_.digest(), output, problem_of(c), wanted.stable, threads, wanted.order);
  }

 private:
  static constexpr int kDevice = 0;

  void* stream() const { return static_cast<cudaStream_t>(stream_); }

  /// Made anew on the device, which is quicker than copying on the host, and fetched.
  Buffers restore(const Case& c) {
    const Buffers there = input_.restore();
    check(cudaMemcpyAsync(keys_.data(), there.keys.data, keys_.bytes(), cudaMemcpyDeviceToHost, stream_));
    if (values_.bytes() > 0) {
      check(cudaMemcpyAsync(values_.data(), there.values.data, values_.bytes(), cudaMemcpyDeviceToHost, stream_));
    }
    check(cudaStreamSynchronize(stream_));
    return {.keys = keys_.array(c.n), .values = values_.bytes() > 0 ? values_.array(c.n) : Array{}};
  }

  DeviceFacts facts_;
  Stream stream_;
  DeviceInput input_;
  HostArray keys_;
  HostArray values_;
  StreamClock no_phases_;  ///< never turned on
  DeviceClock clock_;
};

}  // namespace

std::unique_ptr<Testbed> make_end_to_end_testbed(const Case& c) {
  return guarded([&] { return std::make_unique<EndToEndTestbed>(c); });
}

}  // namespace sortlab

// Device sorts with a delay put in, which verdict_trial.py --device compares.
#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/common/cuda/device_buffers.hpp"
#include "core/build_digest.hpp"
#include "tests/harness/run/planted_device_sorts.hpp"
#include "tests/timing/delay_share.hpp"

namespace sortlab {
namespace {

__device__ std::uint64_t nanoseconds() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}
__global__ void note_begin(std::uint64_t* begin) {
  *begin = nanoseconds();
}
/// Waits for this share of the time since `begin`.
__global__ void wait_since(const std::uint64_t* begin, double share) {
  const std::uint64_t now = nanoseconds();
  const std::uint64_t end = now + static_cast<std::uint64_t>(share * static_cast<double>(now - *begin));
  while (nanoseconds() < end) {
  }
}

/// Sorts, then keeps the stream waiting for the program's share of the time that the sort took.
class Delayed final : public Sorter {
 public:
  Delayed(std::unique_ptr<Sorter> sorter, const Resources& resources)
      : sorter_(std::move(sorter)), stream_(cuda_stream(resources)), begin_(sizeof(std::uint64_t)) {}

  std::uint64_t scratch_bytes() const override { return sorter_->scratch_bytes() + begin_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    note_begin<<<1, 1, 0, stream_>>>(begin_.data<std::uint64_t>());
    check_launch();
    const Buffers sorted = sorter_->sort(data, phases);
    wait_since<<<1, 1, 0, stream_>>>(begin_.data<std::uint64_t>(), delay_share());
    check_launch();
    return sorted;
  }

 private:
  std::unique_ptr<Sorter> sorter_;
  cudaStream_t stream_;
  DeviceMemory begin_;
};

enum class Library : std::uint8_t { radix, merge };

template <Library library>
std::unique_ptr<Sorter> make_delayed(const Problem& problem, const Parameters& parameters, const Resources& resources) {
  const Algorithm& inner = library_sort(library == Library::radix ? "radix" : "merge");
  return std::make_unique<Delayed>(inner.prepare(problem, parameters, resources), resources);
}

/// Registers it for the life of the program.
struct DelayedAlgorithm {
  DelayedAlgorithm(const char* name, DeviceAlgorithm::MakeSorter make)
      : digest(name, "00000000000000aa"),
        algorithm(std::make_unique<DeviceAlgorithm>(Info{.name = name, .title = "delayed", .source = "", .family = ""},
                                                    make)) {}
  RegisterBuildDigest digest;
  Register algorithm;
};

const DelayedAlgorithm delayed_device_radix_sort{"delayed_device_radix_sort", make_delayed<Library::radix>};
const DelayedAlgorithm delayed_device_merge_sort{"delayed_device_merge_sort", make_delayed<Library::merge>};

}  // namespace
}  // namespace sortlab

#include "tests/harness/run/faulty_device_sorts.hpp"

#include "algorithms/common/cuda/device_buffers.hpp"
#include "core/cuda/stream.hpp"

namespace sortlab {
namespace {

__global__ void write_key(std::uint32_t* key) {
  *key = 7;
}
__global__ void work_for(long long cycles, volatile long long* sink) {
  const long long begin = clock64();
  while (clock64() - begin < cycles) *sink = clock64();  // without a store the compiler removes the loop
}

class Faulty final : public Sorter {
 public:
  Faulty(DeviceFault fault, const Problem& problem, const Parameters& parameters, Resources resources)
      : fault_(fault), stream_(cuda_stream(resources)), old_(problem.n * sizeof(std::uint32_t)) {
    if (fault == DeviceFault::own_stream) resources.stream = static_cast<cudaStream_t>(own_);
    if (fault == DeviceFault::legacy_stream) resources.stream = nullptr;
    sorter_ = library_sort().prepare(problem, parameters, resources);
    if (fault == DeviceFault::leaks) leak();
  }

  std::uint64_t scratch_bytes() const override { return sorter_->scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    ++calls_;
    auto* const keys = static_cast<std::uint32_t*>(data.keys.data);
    if (calls_ > 2 && fault_ == DeviceFault::old_output) {
      check(cudaMemcpyAsync(keys, old_.data(), old_.size(), cudaMemcpyDeviceToDevice, stream_));
      return data;
    }
    if (calls_ > 2 && fault_ == DeviceFault::lost_launches) {
      fail_to_launch();
      static_cast<void>(cudaGetLastError());
      return data;
    }
    if (calls_ == 1 && fault_ == DeviceFault::wrong_warm_up) return data;
    const Buffers sorted = sorter_->sort(data, phases);
    switch (fault_) {
      case DeviceFault::old_output:
        check(cudaMemcpyAsync(old_.data(), sorted.keys.data, old_.size(), cudaMemcpyDeviceToDevice, stream_));
        break;
      case DeviceFault::one_past: write_key<<<1, 1, 0, stream_>>>(keys + data.keys.count); break;
      case DeviceFault::one_before: write_key<<<1, 1, 0, stream_>>>(keys - 1); break;
      case DeviceFault::unread_error: fail_to_launch(); break;
      case DeviceFault::goes_on: work_for<<<1, 1, 0, own_>>>(5'000'000, sink_.data<long long>()); break;
      case DeviceFault::allocates: allocate(); break;
      case DeviceFault::waits: check(cudaStreamSynchronize(stream_)); break;
      default: break;
    }
    return sorted;
  }

 private:
  static void fail_to_launch() { write_key<<<1, 1 << 20>>>(nullptr); }

  void allocate() const {
    void* memory = nullptr;
    check(cudaMallocAsync(&memory, kAllocatedInside, stream_));
    check(cudaFreeAsync(memory, stream_));
  }

  static void leak() {
    constexpr std::size_t kept_free = std::size_t{2} << 30;
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all));
    void* lost = nullptr;
    if (free > kept_free) check(cudaMalloc(&lost, free - kept_free));
  }

  DeviceFault fault_;
  cudaStream_t stream_;
  Stream own_;
  DeviceMemory old_;
  DeviceMemory sink_{sizeof(long long)};
  std::unique_ptr<Sorter> sorter_;
  int calls_ = 0;
};

}  // namespace

std::unique_ptr<Sorter> make_faulty(DeviceFault fault, const Problem& problem, const Parameters& parameters,
                                    const Resources& resources) {
  return std::make_unique<Faulty>(fault, problem, parameters, resources);
}

}  // namespace sortlab

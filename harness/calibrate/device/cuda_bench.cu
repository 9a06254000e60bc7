#include "harness/calibrate/device/cuda_bench.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <vector>

#include "algorithms/common/cuda/cycle_marks.cuh"
#include "algorithms/common/cuda/hash.cuh"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

/// Cycles for which the stream is kept busy before the timed work: about 20 us, enough for a few launches.
constexpr long long kLead = 40'000;

__global__ void keep_busy() {
  const long long begin = clock64();
  while (clock64() - begin < kLead) {
  }
}

__global__ void fill_hashed(std::uint32_t* words, std::size_t count) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    words[i] = hash(static_cast<std::uint32_t>(i) ^ static_cast<std::uint32_t>(i >> 32));
  }
}

__global__ void clear_marks(CycleMark* marks) {
  marks[threadIdx.x] = {~0ULL, 0};
}

/// Bytes of each of the two arrays. They and the probes' other memory must fit beside the memory that others use.
std::size_t array_bytes(bool quick) {
  std::size_t free = 0;
  std::size_t all = 0;
  check(cudaMemGetInfo(&free, &all));
  return std::min(quick ? 1 * GiB : 8 * GiB, std::bit_floor(free / 3));
}

}  // namespace

CudaBench::CudaBench(int multiprocessors_, double highest_clock_hz_, bool quick_)
    : DeviceBench(multiprocessors_, highest_clock_hz_, quick_),
      bytes_(array_bytes(quick_)),
      words_(bytes_),
      out_(bytes_ + kSlack),
      marks_(kMaxMultiprocessors * sizeof(CycleMark)) {
  const int blocks = 16 * multiprocessors;
  fill_hashed<<<blocks, 256, 0, stream_>>>(words_.data<std::uint32_t>(), words_.size() / 4);
  fill_hashed<<<blocks, 256, 0, stream_>>>(out_.data<std::uint32_t>(), out_.size() / 4);
  check_launch();
  check(cudaStreamSynchronize(stream_));
  // An idle device has a low clock. Choices that are made once, before the rounds, must not be made at that clock.
  const auto begin = RawClock::now();
  while (clock_hz() < 0.95 * highest_clock_hz && RawClock::now() - begin < std::chrono::seconds{1}) {
  }
}

double CudaBench::time_launches(const Work& launches) {
  keep_busy<<<1, 1, 0, stream_>>>();
  check_launch();
  begin_.record(stream_);
  launches(stream_);
  check_launch();
  end_.record(stream_);
  check(cudaStreamSynchronize(stream_));
  const double seconds = seconds_between(begin_, end_);
  timed_s_ += seconds;
  return seconds;
}

double CudaBench::time_queued(const Work& launches) {
  constexpr int tries = 3;
  for (int i = 0; i < tries; ++i) {
    hold_.begin(stream_);
    begin_.record(stream_);
    try {
      launches(stream_);
      check_launch();
    } catch (...) {
      hold_.end();
      throw;
    }
    end_.record(stream_);
    const bool in_time = hold_.end();
    check(cudaStreamSynchronize(stream_));
    if (in_time) return seconds_between(begin_, end_);
  }
  throw DeviceError("a held stream ran before its launches were queued");
}

double CudaBench::time_one_more(const Work& launch) {
  constexpr int few = 64;
  constexpr int many = 256;
  const auto queued = [&](int count) {
    return time_queued([&](cudaStream_t stream) {
      for (int i = 0; i < count; ++i) launch(stream);
    });
  };
  return (queued(many) - queued(few)) / (many - few);
}

double CudaBench::count_cycles(const std::function<void(cudaStream_t, CycleMark*)>& launch) {
  auto* const marks = marks_.data<CycleMark>();
  clear_marks<<<1, kMaxMultiprocessors, 0, stream_>>>(marks);
  check_launch();
  launch(stream_, marks);
  check_launch();
  std::vector<CycleMark> seen(kMaxMultiprocessors);
  check(cudaMemcpyAsync(seen.data(), marks, marks_.size(), cudaMemcpyDeviceToHost, stream_));
  check(cudaStreamSynchronize(stream_));
  double cycles = 0;
  int used = 0;
  for (const CycleMark& mark : seen) {
    if (mark.end == 0) continue;
    cycles += static_cast<double>(mark.end - mark.begin);
    ++used;
  }
  if (used == 0) throw DeviceError("a kernel that marks no cycles was to be timed by them");
  counted_cycles_ += cycles;
  return cycles / used;
}

double CudaBench::clock_hz() {
  clock_.watch(stream_);
  check(cudaStreamSynchronize(stream_));
  return clock_.hz();
}

const std::byte* CudaBench::next_words(std::size_t bytes) {
  if (position_ + bytes > bytes_) position_ = 0;
  position_ += bytes;
  return words_.data() + position_ - bytes;
}

}  // namespace sortlab::calibration

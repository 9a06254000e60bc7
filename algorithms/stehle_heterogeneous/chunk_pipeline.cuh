// Copies chunks of an input in host memory to the device, sorts them and copies them back, overlapped by the schedule
// of plan.hpp.
#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <vector>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/stehle_heterogeneous/settings.hpp"
#include "core/cuda/stream.hpp"

namespace sortlab::heterogeneous {

/// Out of memory; its message names a setting that would need less.
class NoRoom : public std::bad_alloc {
 public:
  explicit NoRoom(std::string message) : message_(std::make_shared<std::string>(std::move(message))) {}
  const char* what() const noexcept override { return message_->c_str(); }

 private:
  std::shared_ptr<std::string> message_;  ///< copying an exception must not throw
};

inline std::string gibibytes(std::uint64_t bytes) {
  const std::uint64_t tenths = (bytes * 10 + (std::uint64_t{1} << 29)) >> 30;
  return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " GiB";
}

class Moment {
 public:
  Moment() { check(cudaEventCreate(&event_)); }
  Moment(const Moment&) = delete;
  Moment& operator=(const Moment&) = delete;
  ~Moment() { cudaEventDestroy(event_); }

  void record(cudaStream_t stream) const { check(cudaEventRecord(event_, stream)); }
  void hold_back(cudaStream_t stream) const { check(cudaStreamWaitEvent(stream, event_)); }
  std::int64_t ns_since(const Moment& earlier) const {
    float milliseconds = 0;
    check(cudaEventElapsedTime(&milliseconds, earlier.event_, event_));
    return static_cast<std::int64_t>(1e6 * static_cast<double>(milliseconds));
  }

 private:
  cudaEvent_t event_ = nullptr;
};

class ChunkPipeline {
 public:
  /// Throws NoRoom if the device's memory does not suffice.
  ChunkPipeline(const Problem& problem, const Settings& settings, const Resources& resources)
      : problem_(problem),
        chunk_(chunk_problem(problem, settings)),
        chunks_{problem.n, settings.chunks},
        pieces_(chunk_pieces(chunk_bytes())),
        operations_(chunk_.n == 0 ? std::vector<Operation>{} : schedule(settings.chunks, pieces_)),
        sort_stream_(cuda_stream(resources)),
        done_(operations_.size()),
        begun_(operations_.size()) {
    if (chunk_.n == 0) return;
    try {
      for (int buffer = 0; buffer < std::min(kBuffers, settings.chunks); ++buffer) {
        buffers_.push_back(std::make_unique<DeviceBuffers>(chunk_));
      }
      const Resources on_device{.threads = 1, .cpus = {}, .pages = resources.pages, .stream = resources.stream};
      sorter_ = chunk_sort(settings).prepare(chunk_, chunk_parameters(settings, chunk_, on_device), on_device);
    } catch (const std::bad_alloc&) {
      throw NoRoom(room_message(settings));
    }
  }

  const Chunks& chunks() const { return chunks_; }
  std::uint64_t scratch_bytes() const {
    std::uint64_t bytes = sorter_ ? sorter_->scratch_bytes() : 0;
    for (const auto& buffer : buffers_) bytes += buffer->bytes();
    return bytes;
  }

  /// Sorts each chunk of `data` in place, and the remaining elements on the host. Returns when all chunks are back.
  void sort(const Buffers& data, PhaseTimer& phases) {
    const std::int64_t begin_ns = phases.elapsed_ns();
    if (!operations_.empty()) start_.record(stream(Lane::copy_in));
    try {
      inner_phases_.reset();
      for (std::size_t i = 0; i < operations_.size(); ++i) queue(i, data);
      sort_remainder(problem_.key, problem_.value, remainder(data.keys, byte_size(problem_.key)),
                     remainder(data.values, byte_size(problem_.value)));
      check(cudaStreamSynchronize(stream(Lane::copy_out)));
    } catch (...) {
      // Operations in flight still use arrays that are about to be freed.
      for (const Lane lane : {Lane::copy_in, Lane::sort, Lane::copy_out}) (void)cudaStreamSynchronize(stream(lane));
      throw;
    }
    report(begin_ns, phases);
  }

 private:
  /// Phases inside the sort of a chunk are not recorded.
  class NoClock final : public PhaseClock {
   public:
    std::int64_t read(int /*lane*/) override { return 0; }
  };

  std::uint64_t chunk_bytes() const { return chunk_.n * (byte_size(problem_.key) + byte_size(problem_.value)); }

  std::string room_message(const Settings& settings) const {
    std::size_t free = 0;
    std::size_t all = 0;
    check(cudaMemGetInfo(&free, &all));
    return "chunks=" + std::to_string(settings.chunks) + ": chunks of " + gibibytes(chunk_bytes()) + ", " +
           std::to_string(std::min(kBuffers, settings.chunks)) + " at a time beside what sort=" + settings.sort +
           " takes, do not fit in the device's " + gibibytes(all) +
           (settings.chunks < kMaxChunks ? "; more chunks are smaller" : "");
  }

  Array remainder(const Array& array, std::uint64_t width) const {
    if (array.count == 0) return {};
    return {.data = static_cast<std::byte*>(array.data) + chunks_.begin(chunks_.count) * width,
            .count = chunks_.remainder()};
  }

  cudaStream_t stream(Lane lane) const {
    return lane == Lane::sort ? sort_stream_ : static_cast<cudaStream_t>(lane == Lane::copy_in ? in_ : out_);
  }

  void queue(std::size_t index, const Buffers& data) {
    const Operation& operation = operations_[index];
    const cudaStream_t on = stream(operation.lane);
    if (operation.waits_for >= 0) done_[static_cast<std::size_t>(operation.waits_for)].hold_back(on);
    if (operation.piece == 0) begun_[index].record(on);
    if (operation.lane == Lane::sort) {
      sort_chunk(operation);
    } else {
      copy_piece(operation, data);
    }
    done_[index].record(on);
  }

  const Buffers& there(const Operation& operation) const {
    return buffers_[static_cast<std::size_t>(operation.buffer())]->buffers();
  }

  /// Copies the sorted chunk home if it lies in scratch memory, which the next chunk's sort needs.
  void sort_chunk(const Operation& operation) {
    const Buffers& home = there(operation);
    const Buffers sorted = sorter_->sort(home, inner_phases_);
    bring_home(home.keys, sorted.keys, byte_size(problem_.key));
    bring_home(home.values, sorted.values, byte_size(problem_.value));
  }

  void bring_home(const Array& home, const Array& sorted, std::uint64_t width) const {
    if (home.count == 0 || home.data == sorted.data) return;
    check(cudaMemcpyAsync(home.data, sorted.data, home.count * width, cudaMemcpyDeviceToDevice, sort_stream_));
  }

  void copy_piece(const Operation& operation, const Buffers& data) const {
    const auto part = [&](int piece) {
      return chunk_.n / static_cast<std::uint64_t>(pieces_) * static_cast<std::uint64_t>(piece);
    };
    const std::uint64_t first = part(operation.piece);
    const std::uint64_t last = operation.piece + 1 == pieces_ ? chunk_.n : part(operation.piece + 1);
    const auto copy = [&](const Array& host, const Array& device, std::uint64_t width) {
      if (device.count == 0) return;
      std::byte* const here = static_cast<std::byte*>(host.data) + (chunks_.begin(operation.chunk) + first) * width;
      std::byte* const there = static_cast<std::byte*>(device.data) + first * width;
      const std::uint64_t bytes = (last - first) * width;
      if (operation.lane == Lane::copy_in) {
        check(cudaMemcpyAsync(there, here, bytes, cudaMemcpyHostToDevice, in_));
      } else {
        check(cudaMemcpyAsync(here, there, bytes, cudaMemcpyDeviceToHost, out_));
      }
    };
    copy(data.keys, there(operation).keys, byte_size(problem_.key));
    copy(data.values, there(operation).values, byte_size(problem_.value));
  }

  /// Reports one span per chunk and lane, with the chunk as the pass.
  void report(std::int64_t begin_ns, PhaseTimer& phases) const {
    constexpr std::array names{"copy_in", "sort", "copy_out"};
    std::array<std::int64_t, kLanes> begun{};
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      const Operation& operation = operations_[i];
      const auto lane = static_cast<std::size_t>(operation.lane);
      if (operation.piece == 0) begun[lane] = begin_ns + begun_[i].ns_since(start_);
      if (operation.lane != Lane::sort && operation.piece + 1 < pieces_) continue;
      phases.add({.name = names[lane],
                  .pass = operation.chunk,
                  .begin_ns = begun[lane],
                  .end_ns = begin_ns + done_[i].ns_since(start_)});
    }
  }

  Problem problem_;
  Problem chunk_;
  Chunks chunks_;
  int pieces_;
  std::vector<Operation> operations_;
  Stream in_;
  cudaStream_t sort_stream_;
  Stream out_;
  Moment start_;
  std::vector<Moment> done_;
  std::vector<Moment> begun_;  ///< begin of each lane's first piece
  std::vector<std::unique_ptr<DeviceBuffers>> buffers_;
  std::unique_ptr<Sorter> sorter_;
  NoClock no_clock_;
  PhaseTimer inner_phases_{1, &no_clock_};
};

}  // namespace sortlab::heterogeneous

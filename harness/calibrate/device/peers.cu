// Micro-benchmark MB15: writes and copies to another device's memory, both ways at once. A host with one GPU, or
// without access between its first two, has no such table.
#include <memory>
#include <vector>

#include "algorithms/device_probe.hpp"
#include "core/cuda/on_device.hpp"
#include "core/cuda/stream.hpp"
#include "harness/measure/cuda/stream_clock.hpp"

namespace sortlab::calibration {
namespace {

constexpr unsigned kPeersThreads = 512;
constexpr unsigned kBlocksAProcessor = 2;

/// Writes each run of `run_words` words of `from` to a place of its own: those of 256 neighbouring runs lie as far
/// apart as the buckets of a partition.
__global__ void __launch_bounds__(kPeersThreads)
    write_runs(const uint4* from, uint4* to, std::uint64_t words, std::uint32_t run_words) {
  constexpr std::uint64_t kBuckets = 256;
  const std::uint64_t runs = words / run_words, of_bucket = runs / kBuckets;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * kPeersThreads + threadIdx.x; i < words;
       i += std::uint64_t{gridDim.x} * kPeersThreads) {
    const std::uint64_t run = i / run_words, place = run % kBuckets * of_bucket + run / kBuckets;
    to[place * run_words + i % run_words] = from[i];
  }
}

/// Memory of the first two devices, with access to each other, and a stream of the second.
class Peers {
 public:
  explicit Peers(std::size_t bytes) : bytes_(bytes), here_(2 * bytes) {
    enable_access(0, 1);
    enable_access(1, 0);
    const OnDevice on{1};
    there_ = DeviceMemory{2 * bytes};
    stream_ = std::make_unique<Stream>();
    done_ = std::make_unique<Event>();
  }

  static bool exist() {
    int devices = 0, from_first = 0, from_second = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices < 2) return false;
    check(cudaDeviceCanAccessPeer(&from_first, 0, 1));
    check(cudaDeviceCanAccessPeer(&from_second, 1, 0));
    return from_first != 0 && from_second != 0;
  }

  /// Calls `send(source, destination, stream)` for both directions, each on a stream of the device that has the source.
  template <class Send>
  double seconds(DeviceBench& bench, const Send& send) {
    return bench.time_launches([&](cudaStream_t on) {
      begun_.record(on);
      {
        const OnDevice second{1};
        begun_.hold_back(*stream_);
        send(there_.data(), here_.data() + bytes_, *stream_);
        done_->record(*stream_);
      }
      send(here_.data(), there_.data() + bytes_, on);
      done_->hold_back(on);
    });
  }

 private:
  static void enable_access(int device, int peer) {
    const OnDevice on{device};
    const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();  // this one is not sticky
    } else {
      check(error);
    }
  }

  std::size_t bytes_;
  DeviceMemory here_;
  DeviceMemory there_;
  Event begun_;
  std::unique_ptr<Stream> stream_;
  std::unique_ptr<Event> done_;
};

void add_peers_probes(Rounds& rounds, DeviceBench& bench) {
  if (!Peers::exist()) return;
  const std::vector<std::size_t> sizes{1 * MiB, 16 * MiB, 256 * MiB};
  auto peers = std::make_shared<Peers>(sizes.back());
  rounds.declare(
      "peer.write", "B/s",
      "MB15: a kernel's writes of runs of 'run_bytes' to another device's memory, both ways at once, bytes of "
      "one way",
      {"run_bytes"});
  for (const std::size_t run_bytes : {32, 64, 128, 256, 512, 4096}) {
    rounds.add("peer.write", point(run_bytes), [&bench, peers, run_bytes, size = sizes.back()] {
      const unsigned blocks = kBlocksAProcessor * static_cast<unsigned>(bench.multiprocessors);
      const double seconds = peers->seconds(bench, [&](const std::byte* from, std::byte* to, cudaStream_t on) {
        write_runs<<<blocks, kPeersThreads, 0, on>>>(reinterpret_cast<const uint4*>(from), reinterpret_cast<uint4*>(to),
                                                     size / sizeof(uint4),
                                                     static_cast<std::uint32_t>(run_bytes / sizeof(uint4)));
        check_launch();
      });
      return static_cast<double>(size) / seconds;
    });
  }
  rounds.declare("peer.copy", "B/s",
                 "MB15: copies of 'bytes' to another device's memory, both ways at once, bytes of one way", {"bytes"});
  for (const std::size_t bytes : sizes) {
    rounds.add("peer.copy", point(bytes), [&bench, peers, bytes] {
      const double seconds = peers->seconds(bench, [&](const std::byte* from, std::byte* to, cudaStream_t on) {
        check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, on));
      });
      return static_cast<double>(bytes) / seconds;
    });
  }
}

const RegisterProbe peers_probes{DeviceProbe{"peers", TableKind::hardware, add_peers_probes}};

}  // namespace
}  // namespace sortlab::calibration

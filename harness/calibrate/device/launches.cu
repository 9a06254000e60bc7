// Micro-benchmark MB7: the cost of launches, graphs and host synchronisation; and the clock.
#include <chrono>
#include <memory>

#include "algorithms/device_probe.hpp"
#include "core/cuda/stream.hpp"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kShortGraph = 64;
constexpr int kLongGraph = 256;

__global__ void nothing() {}

__global__ void count_on(int* counter) {
  if (threadIdx.x == 0) *counter += 1;
}

__global__ void copy_words(const uint4* from, uint4* to) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = from[i];
}

/// Adds a table of one point: the seconds of one more `launch`, which has run once before.
void add_launch(Rounds& rounds, DeviceBench& bench, const char* table, std::string source, DeviceBench::Work launch) {
  rounds.declare(table, "s", std::move(source), {});
  launch(bench.stream());
  check_launch();
  check(cudaStreamSynchronize(bench.stream()));
  rounds.add(table, {}, [&bench, launch = std::move(launch)] { return bench.time_one_more(launch); });
}

/// A graph of `count` null kernels, one after another.
class Graph {
 public:
  Graph(cudaStream_t stream, int count) {
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < count; ++i) nothing<<<1, 32, 0, stream>>>();
    check(cudaStreamEndCapture(stream, &graph_));
    check(cudaGraphInstantiate(&launchable_, graph_, 0));
    check(cudaGraphUpload(launchable_, stream));
    launch(stream);
    check(cudaStreamSynchronize(stream));
  }
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;
  ~Graph() {
    cudaGraphExecDestroy(launchable_);
    cudaGraphDestroy(graph_);
  }
  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(launchable_, stream)); }

 private:
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t launchable_ = nullptr;
};

void add_graph(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("graph_node", "s", "MB7: what one more null kernel adds to a graph of null kernels in a row", {});
  auto few = std::make_shared<Graph>(bench.stream(), kShortGraph);
  auto many = std::make_shared<Graph>(bench.stream(), kLongGraph);
  rounds.add("graph_node", {}, [&bench, few, many] {
    const auto seconds = [&](const Graph& graph) {
      return bench.time_queued([&](cudaStream_t stream) { graph.launch(stream); });
    };
    return (seconds(*many) - seconds(*few)) / (kLongGraph - kShortGraph);
  });
}

/// Mean seconds of several consecutive calls, by the host's clock.
double host_seconds(const auto& call) {
  constexpr int times = 32;
  const auto begin = RawClock::now();
  for (int i = 0; i < times; ++i) call();
  return std::chrono::duration<double>(RawClock::now() - begin).count() / times;
}

void add_waiting(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("host_sync", "s", "MB7: the host launches a null kernel on an idle stream and waits for the stream",
                 {});
  rounds.add("host_sync", {}, [&bench] {
    return host_seconds([&] {
      nothing<<<1, 32, 0, bench.stream()>>>();
      check(cudaStreamSynchronize(bench.stream()));
    });
  });
  rounds.declare("copy_back", "s", "MB7: the host copies 4 bytes from the device to pinned memory and waits for them",
                 {});
  rounds.add("copy_back", {}, [&bench, word = std::make_shared<Shared<int>>()] {
    return host_seconds([&] {
      check(cudaMemcpyAsync(word->address(), bench.words(), sizeof(int), cudaMemcpyDeviceToHost, bench.stream()));
      check(cudaStreamSynchronize(bench.stream()));
    });
  });
}

/// Launches a copy kernel that reads `bytes` and writes as many, in cache.
DeviceBench::Work copies(DeviceBench& bench, std::size_t bytes) {
  return [&bench, bytes](cudaStream_t stream) {
    copy_words<<<static_cast<unsigned>(bytes / sizeof(uint4) / 256), 256, 0, stream>>>(
        reinterpret_cast<const uint4*>(bench.words()), reinterpret_cast<uint4*>(bench.out()));
  };
}

void add_ramp(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("ramp", "s",
                 "MB7: what a copy kernel takes at size 0, beyond a null kernel: the line through copies of 64 KiB and "
                 "4 MiB in cache",
                 {});
  constexpr std::size_t small = 64 * KiB;
  constexpr std::size_t large = 4 * MiB;
  bench.time_launches(copies(bench, small));  // loads the kernel
  rounds.add("ramp", {}, [&bench] {
    const double of_small = bench.time_one_more(copies(bench, small));
    const double of_large = bench.time_one_more(copies(bench, large));
    const double a_byte = (of_large - of_small) / static_cast<double>(large - small);
    return of_small - a_byte * static_cast<double>(small) -
           bench.time_one_more([](cudaStream_t stream) { nothing<<<1, 32, 0, stream>>>(); });
  });
}

void add_clock(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("clock", "Hz", "cycles of a multiprocessor against the device's timer, over 0.1 ms", {});
  rounds.add("clock", {}, [&bench] { return bench.clock_hz(); });
}

void add_launches_probes(Rounds& rounds, DeviceBench& bench) {
  add_clock(rounds, bench);
  add_launch(rounds, bench, "launch", "MB7: what one more null kernel of one warp adds to a stream of queued launches",
             [](cudaStream_t stream) { nothing<<<1, 32, 0, stream>>>(); });
  add_launch(rounds, bench, "launch_dependent",
             "MB7: the same for a kernel of one block that reads 4 bytes which the one before wrote",
             [counter = reinterpret_cast<int*>(bench.out())](cudaStream_t stream) {
               count_on<<<1, 32, 0, stream>>>(counter);
             });
  add_launch(rounds, bench, "launch_wide",
             "MB7: the same for a null kernel of 10 blocks of 256 threads a multiprocessor",
             [blocks = 10 * bench.multiprocessors](cudaStream_t stream) { nothing<<<blocks, 256, 0, stream>>>(); });
  add_launch(rounds, bench, "memset", "MB7: the same for a memset of 1 KiB",
             [out = bench.out()](cudaStream_t stream) { check(cudaMemsetAsync(out, 1, KiB, stream)); });
  add_graph(rounds, bench);
  add_waiting(rounds, bench);
  add_ramp(rounds, bench);
}

const RegisterProbe launches_probes{DeviceProbe{"launches", TableKind::hardware, add_launches_probes}};

}  // namespace

}  // namespace sortlab::calibration

#include "algorithms/common/cuda/tile_probe.hpp"

namespace sortlab::calibration {
namespace {

__global__ void no_tile() {}

}  // namespace

void declare_alone(Rounds& rounds, const std::string& name, std::vector<std::string> arguments) {
  rounds.declare("alone." + name, "s",
                 "MB8: as tile." + name +
                     ", but one block per multiprocessor: additional time over a kernel of as many empty blocks",
                 std::move(arguments));
}

void add_alone(Rounds& rounds, DeviceBench& bench, const std::string& name, std::vector<double> at, unsigned threads,
               std::function<void(cudaStream_t stream, unsigned blocks)> launch) {
  const auto blocks = static_cast<unsigned>(bench.multiprocessors);
  launch(bench.stream(), blocks);  // loads the kernel
  rounds.add("alone." + name, std::move(at), [&bench, threads, blocks, launch = std::move(launch)] {
    return bench.time_one_more([&](cudaStream_t stream) { launch(stream, blocks); }) -
           bench.time_one_more([=](cudaStream_t stream) { no_tile<<<blocks, threads, 0, stream>>>(); });
  });
}

}  // namespace sortlab::calibration

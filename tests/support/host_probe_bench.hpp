// A small test bench for host probes.
#pragma once

#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {

inline HostBench small_bench(int threads) {
  HostBench bench{.arenas = {}, .threads = {threads}, .lines = {1}, .quick = true};
  for (int thread = 0; thread < threads; ++thread) {
    bench.arenas.push_back(std::make_unique<Arena>(2 * Arena::kNear, static_cast<std::uint64_t>(thread) + 1));
  }
  return bench;
}

}  // namespace sortlab::calibration

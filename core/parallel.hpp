// Parallel loop over the elements of an input.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

namespace sortlab {

/// Calls `work(begin, end)` on at most `threads` threads for contiguous parts of [0, n), and returns when all are done.
/// Parts begin at multiples of `grain`, so that each begins at a block of a random stream. `work` must not throw.
template <class Work>
void in_parallel(std::uint64_t n, int threads, std::uint64_t grain, const Work& work) {
  const std::uint64_t grains = (n + grain - 1) / grain;
  const std::uint64_t parts = std::min(grains, static_cast<std::uint64_t>(std::max(threads, 1)));
  const auto part_first = [&](std::uint64_t part) {
    return std::min(n, (grains / parts * part + std::min(part, grains % parts)) * grain);
  };
  std::vector<std::jthread> others;
  for (std::uint64_t part = 1; part < parts; ++part) {
    others.emplace_back([&, part] { work(part_first(part), part_first(part + 1)); });
  }
  if (parts > 0) work(0, part_first(1));
}

}  // namespace sortlab

// Timing of kernels that are too short for one sample, by repeated launches.
#pragma once

#include <algorithm>
#include <cstddef>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// Number of launches over so many bytes that make a sample long enough.
inline std::size_t times_for(std::size_t bytes) {
  constexpr std::size_t sample = std::size_t{128} << 20, least = 2, most = 16;
  return std::clamp(sample / bytes, least, most);
}

/// Seconds per run of `work(stream)`, from `times` runs in a row.
template <class Work>
double seconds_each(DeviceBench& bench, std::size_t times, const Work& work) {
  return bench.time_launches([&](cudaStream_t stream) {
    for (std::size_t i = 0; i < times; ++i) work(stream);
    check_launch();
  }) / static_cast<double>(times);
}

}  // namespace sortlab::calibration

// Timing of kernels that are too short for one sample, by repeated launches.
#pragma once

#include <cstddef>

#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {

/// Seconds per run of `work(stream)`, from `times` runs in a row.
template <class Work>
double seconds_each(DeviceBench& bench, std::size_t times, const Work& work) {
  return bench.time_launches([&](cudaStream_t stream) {
    for (std::size_t i = 0; i < times; ++i) work(stream);
    check_launch();
  }) / static_cast<double>(times);
}

}  // namespace sortlab::calibration

#include "harness/predict/copies.hpp"

#include <vector>

#include "core/pair_bytes.hpp"
#include "models/cost.hpp"

namespace sortlab {
namespace {

enum class Direction { to_device, back };

/// Bytes of each array: keys and values, or both together.
std::vector<double> array_bytes(const Case& c) {
  const auto n = static_cast<double>(c.n);
  if (c.layout == Layout::together || c.value == ValueType::none) {
    return {n * static_cast<double>(pair_bytes(c.key, c.value))};
  }
  return {n * static_cast<double>(byte_size(c.key)), n * static_cast<double>(byte_size(c.value))};
}

PhasePrediction copy(const char* name, const Case& c, Direction direction, const MachineProfile& device) {
  const double is_pinned = c.host_memory == HostMemory::pinned ? 1 : 0;
  double all = 0, seconds = 0;
  for (const double bytes : array_bytes(c)) {
    all += bytes;
    if (bytes > 0) seconds += bytes / device.at("link", {static_cast<double>(direction), is_pinned, bytes});
  }
  return phase(name, 0, {{"link", "bytes.link", all, seconds}}, 1);
}

}  // namespace

Prediction with_copies(Prediction sort, const Case& c, const MachineProfile& device) {
  PhasePrediction in = copy("copy_in", c, Direction::to_device, device);
  PhasePrediction out = copy("copy_out", c, Direction::back, device);
  sort.seconds += in.seconds + out.seconds;
  sort.phases.insert(sort.phases.begin(), std::move(in));
  sort.phases.push_back(std::move(out));
  return sort;
}

}  // namespace sortlab

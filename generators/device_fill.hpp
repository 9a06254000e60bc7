// Inputs generated in device memory: the same bytes that Distribution::fill makes on the host.
//
// A build without CUDA does not define these functions, which are then null.
#pragma once

#include <string_view>

#include "generators/distribution.hpp"

namespace sortlab {

/// Writes the n keys of `input` to `keys`, memory of the current device that is aligned to 16 bytes, on `stream`, a
/// cudaStream_t, and waits until they are there. A distribution without device code is made on the host and copied.
/// Throws DeviceError, or std::bad_alloc if memory of the host or the device runs out (sorted inputs need twice the
/// memory on the device).
[[gnu::weak]] void fill_on_device(const NamedDistribution& distribution, const Input& input, void* keys, void* stream);

/// Queues on `stream` the writing of n record ids to `values`, aligned to 16 bytes, like fill_values().
[[gnu::weak]] void fill_values_on_device(ValueType type, std::uint64_t n, void* values, void* stream);

/// True if the distribution of this name has device code.
[[gnu::weak]] bool has_device_code(std::string_view name);

}  // namespace sortlab

// Inputs generated in device memory: the same bytes as Distribution::fill makes on the host.
//
// A build without CUDA does not define these functions; they are then null.
#pragma once

#include <string_view>

#include "generators/distribution.hpp"

namespace sortlab {

/// Writes the n keys of `input` to `keys`, memory of the current device that is aligned to 16 bytes, on `stream`, a
/// cudaStream_t; blocks until they are there. A distribution without device code is made on the host and copied. Throws
/// std::bad_alloc if memory of the device (sorting takes as much again) or of the host runs out, and DeviceError.
[[gnu::weak]] void fill_on_device(const NamedDistribution& distribution, const Input& input, void* keys, void* stream);

/// Writes n record ids, as fill_values does, to `values`, aligned to 16 bytes; blocks until they are there.
[[gnu::weak]] void fill_values_on_device(ValueType type, std::uint64_t n, void* values, void* stream);

/// Whether the distribution of this name has device code.
[[gnu::weak]] bool has_device_code(std::string_view name);

}  // namespace sortlab

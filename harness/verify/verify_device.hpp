// Verification in place on a CUDA device, with the digests, verdicts and reasons of verify.hpp.
//
// A build without CUDA does not define these functions; they are then null.
#pragma once

#include <span>

#include "algorithms/plugin.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Hashes the input of `problem`, which lies in memory of the current device, on `stream`, a cudaStream_t; blocks until
/// done. Throws DeviceError.
[[gnu::weak]] InputDigest digest_on_device(const Buffers& input, const Problem& problem, void* stream);

/// Verifies an output in memory of the current device against the digest of its input, which may have been taken on the
/// host. Throws DeviceError.
[[gnu::weak]] Verification verify_on_device(const InputDigest& input, const Buffers& output, const Problem& problem,
                                            bool claims_stable, void* stream, const Order& order = {});

/// The same of shards, each in memory of its lane's device and verified there.
[[gnu::weak]] InputDigest digest_on_devices(const Buffers& input, const Problem& problem, std::span<const Lane> lanes);
[[gnu::weak]] Verification verify_on_devices(const InputDigest& input, const Buffers& output, const Problem& problem,
                                             bool claims_stable, std::span<const Lane> lanes);

}  // namespace sortlab

// Check of verify.hpp on records, by content: their keys ascend, and each record of the input is present once, whole,
// with its payload. Digests cover the bytes of keys, and those of keys and payloads.
#pragma once

#include "algorithms/plugin.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Hashes strings as digest_input hashes numbers. `pairs` covers the records that have a payload.
InputDigest digest_of_records(const Buffers& input, const Problem& problem, int threads);

/// Verifies strings as verify verifies numbers. Records must lie one after the other in `bytes`, in the order of
/// `keys`. Stability shows where payloads of equal keys are long enough to hold the record's id, which begins them
/// (record_distribution.hpp).
Verification verify_records(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                            int threads);

}  // namespace sortlab

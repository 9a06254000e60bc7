// Check that an output is the sorted input: the one check behind every recorded time and the conformance suite.
//
// A digest of a multiset is the sum, modulo 2^64, of a 64-bit hash of each element, so it does not depend on the order
// (Blum & Kannan, "Designing programs that check their work", J. ACM 42, 1995, check permutations in this way). Taking
// the hash as random, two multisets that differ have equal digests with a chance of 2^-64. So the input is read once,
// to hash it, and each output once, front to back, looking nothing up: 0.7 ns a u32 key, 1.5 ns a 32/32 pair, 3 to 4 ns
// a 64/64 pair on one thread of an AMD EPYC of family 25 model 1, and about half of that on two.
#pragma once

#include "algorithms/plugin.hpp"
#include "harness/verify/verification.hpp"

namespace sortlab {

/// Hashes the input of `problem`, which lies in host memory. Uses `threads` threads if it is large enough for them.
InputDigest digest_input(const Buffers& input, const Problem& problem, int threads);

/// Verifies an output in host memory against the digest of its input.
///
/// Values are the record ids of fill_values. They make stability visible: among equal keys ids ascend. So stability and
/// tiles are nullopt for keys without values, and for more records than ids (u32 values, n > 2^32).
///
/// `order` is the order of the output. Its unit floats map the range of the output's keys; where these are not the
/// input's, the multiset shows it.
Verification verify(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                    int threads, const Order& order = {});

/// The same of shards in host memory (Buffers::shards), by the order of whole keys.
InputDigest digest_shards(const Buffers& input, const Problem& problem, int threads);
Verification verify_shards(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                           int threads);

}  // namespace sortlab

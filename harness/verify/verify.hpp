// Is this the sorted input? The one check behind every time that is recorded, and behind the conformance suite.
//
// A digest of a multiset is the sum, modulo 2^64, of a 64-bit hash of each element, so it does not depend on the order
// (Blum & Kannan, "Designing programs that check their work", J. ACM 42, 1995, check permutations in this way). Taking
// the hash as random, two multisets that differ have equal digests with a chance of 2^-64. So the input is read once,
// to hash it, and each output once, front to back, looking nothing up: 0.7 ns a u32 key, 1.5 ns a 32/32 pair, 3 to 4 ns
// a 64/64 pair on one thread of an AMD EPYC of family 25 model 1, and about half of that on two.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// What verification keeps of an input. Of records (verify_records.hpp) a pair is a key with its payload.
struct InputDigest {
  std::uint64_t n = 0;
  std::uint64_t keys = 0;   ///< of the multiset of keys
  std::uint64_t pairs = 0;  ///< of the multiset of (key, value); 0 without values
};

/// Hashes the input of `problem`, which lies in host memory. Uses `threads` threads if it is large enough for them.
InputDigest digest_of(const Buffers& input, const Problem& problem, int threads);

struct Verification {
  bool order = false;             ///< ascending by KeyLess, or by what was asked for
  bool multiset = false;          ///< the keys of the input, each as often
  std::optional<bool> pairing;    ///< each value with its key; nothing without values
  std::optional<bool> stability;  ///< equal keys in input order; nothing unless claimed and visible
  std::optional<bool> tiles;      ///< each element in the tile it came from; nothing unless asked for and visible
  std::string ordered_by;         ///< what of the keys ascends where it is not all, in words; else empty
  std::string digest;             ///< of the output's multiset of keys, 16 hexadecimal digits
  std::string reason;             ///< what is wrong, in words; empty if nothing is

  bool ok() const { return reason.empty(); }
};

/// Verifies an output in host memory against the digest of its input.
///
/// Values are the record ids of fill_values. They make stability visible: among equal keys ids ascend. So stability is
/// nothing for keys without values, and for more records than ids (u32 values, n > 2^32). So it is with tiles.
///
/// `order`: what the output ascends by. The range of its unit floats is that of the output's keys, which are the
/// input's, or the multiset shows it.
Verification verify(const InputDigest& input, const Buffers& output, const Problem& problem, bool claims_stable,
                    int threads, const Order& order = {});

}  // namespace sortlab

// The contract of a distribution of records: string keys, each followed by a payload. Like keys of fixed width, records
// depend only on their positions, through a counter-based generator.
#pragma once

#include <span>

#include "core/record.hpp"
#include "generators/distribution.hpp"

namespace sortlab {

/// The keys of one input.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// Returns the length of key i in bytes, which is below 2^32, and writes the key to `to` unless that is null.
  virtual std::uint32_t key(std::uint64_t i, std::uint8_t* to) const = 0;
};

/// A distribution of records. A payload begins with the record's id, its position in the input, in 8 bytes, lowest
/// first (cut off in a shorter payload), so that a verifier can trace each record. Random bytes fill the rest.
class RecordDistribution : public Distribution {
 public:
  const DistributionInfo& info() const final { return info_; }
  bool makes_records() const final { return true; }
  /// Throws std::logic_error, since there are no keys of fixed width.
  void fill(const Input& input, void* keys, int threads) const final;

  /// Total size of all records in bytes.
  std::uint64_t total_bytes(const Input& input, int threads) const;
  /// Writes the n records of `input` one after the other to `bytes`, which has room for total_bytes(), and their
  /// positions to `records`.
  void fill_records(const Input& input, Record* records, std::uint8_t* bytes, int threads) const;

 protected:
  /// Adds the parameters of payloads to those of `info`.
  explicit RecordDistribution(DistributionInfo info);
  virtual std::unique_ptr<KeySource> source(const Input& input) const = 0;

 private:
  DistributionInfo info_;
};

// The random streams of an input of records: one for choices (block i for record i), and one for each key, payload,
// prefix, word of a vocabulary and path.
enum class RecordStream : std::uint8_t { choices = 1, key = 2, payload = 3, prefix = 4, vocabulary = 5, path = 6 };
constexpr std::uint64_t stream_number(RecordStream kind, std::uint64_t i = 0) {
  return i << 4 | static_cast<std::uint64_t>(kind);
}

/// Map of random bytes to characters: unchanged, to a–z, or to 0x00 and 0xFF. The last makes padded prefixes equal.
enum class Alphabet : std::uint8_t { bytes, letters, extremes };
Alphabet chosen_alphabet(const Parameters& parameters);
Parameter alphabet_parameter();
/// Fills `to` from the words of a stream.
void fill_bytes(std::uint64_t seed, std::uint64_t stream, Alphabet alphabet, std::span<std::uint8_t> to);

/// Maps a random word to a uniform number from `smallest` to `largest`.
constexpr std::uint32_t between(std::uint32_t random, std::uint64_t smallest, std::uint64_t largest) {
  return static_cast<std::uint32_t>(smallest + (random * (largest - smallest + 1) >> 32));
}

}  // namespace sortlab

// The contract of a distribution of records: string keys, each followed by a payload. Like keys, they are made from the
// positions of the records alone, with a counter-based generator.
#pragma once

#include <span>

#include "core/record.hpp"
#include "generators/distribution.hpp"

namespace sortlab {

/// The keys of one input.
class KeySource {
 public:
  virtual ~KeySource() = default;
  /// The bytes of key i; writes them, unless `to` is null. Below 2^32.
  virtual std::uint32_t key(std::uint64_t i, std::uint8_t* to) const = 0;
};

/// A payload begins with the record's id, its position in the input, in 8 bytes, lowest first (of a shorter payload its
/// first bytes): a verifier can follow each record. Random bytes fill the rest.
class RecordDistribution : public Distribution {
 public:
  const DistributionInfo& info() const final { return info_; }
  bool makes_records() const final { return true; }
  /// Throws std::logic_error: there are no keys of fixed width.
  void fill(const Input& input, void* keys, int threads) const final;

  /// Of all records together.
  std::uint64_t total_bytes(const Input& input, int threads) const;
  /// Writes the n records of `input` one after the other to `bytes`, which has room for total_bytes(), and where they
  /// lie to `records`.
  void fill_records(const Input& input, Record* records, std::uint8_t* bytes, int threads) const;

 protected:
  /// Adds the parameters of payloads to those of `info`.
  explicit RecordDistribution(DistributionInfo info);
  virtual std::unique_ptr<KeySource> source(const Input& input) const = 0;

 private:
  DistributionInfo info_;
};

// The random streams of an input of records: one for choices (block i for record i), and one for each record, each
// prefix and each word of a vocabulary.
enum class RecordStream : std::uint8_t { choices = 1, key = 2, payload = 3, prefix = 4, vocabulary = 5, path = 6 };
constexpr std::uint64_t stream_of(RecordStream kind, std::uint64_t i = 0) {
  return i << 4 | static_cast<std::uint64_t>(kind);
}

/// What random bytes become: themselves, letters from a to z, or only 0x00 and 0xFF, which tie where a prefix is
/// padded.
enum class Alphabet : std::uint8_t { bytes, letters, extremes };
Alphabet alphabet_of(const Parameters& parameters);
Parameter alphabet_parameter();
/// Fills `to` from the words of a stream.
void fill_bytes(std::uint64_t seed, std::uint64_t stream, Alphabet alphabet, std::span<std::uint8_t> to);

/// Uniform from `smallest` to `largest`, for a random word.
constexpr std::uint32_t between(std::uint32_t random, std::uint64_t smallest, std::uint64_t largest) {
  return static_cast<std::uint32_t>(smallest + (random * (largest - smallest + 1) >> 32));
}

}  // namespace sortlab

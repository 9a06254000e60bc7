#include "generators/record_distribution.hpp"

#include <atomic>
#include <stdexcept>

#include "core/parallel.hpp"
#include "generators/philox.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kGrain = 1024;  ///< records per grain; a thread takes whole grains

struct Payloads {
  explicit Payloads(const Input& input)
      : seed(input.seed),
        largest(static_cast<std::uint64_t>(input.parameters.integer("payload"))),
        smallest(input.parameters.word("payload_lengths") == "uniform" ? 0 : largest) {}

  std::uint32_t bytes(std::uint64_t i) const {
    if (smallest == largest) return static_cast<std::uint32_t>(largest);
    return between(philox(seed, i, stream_number(RecordStream::choices))[3], smallest, largest);
  }
  void write(std::uint64_t i, std::span<std::uint8_t> to) const {
    fill_bytes(seed, stream_number(RecordStream::payload, i), Alphabet::bytes, to);
    for (std::size_t byte = 0; byte < std::min<std::size_t>(8, to.size()); ++byte) {
      to[byte] = static_cast<std::uint8_t>(i >> (8 * byte));
    }
  }

  std::uint64_t seed, largest, smallest;
};

}  // namespace

RecordDistribution::RecordDistribution(DistributionInfo info) : info_(std::move(info)) {
  info_.parameters.push_back({.name = "payload",
                              .meaning = "bytes of a record after its key",
                              .standard = std::int64_t{0},
                              .range = {0, 65536}});
  info_.parameters.push_back({.name = "payload_lengths",
                              .meaning = "all payloads as long as `payload`, or uniformly from 0 to that",
                              .standard = std::string{"fixed"},
                              .choices = {"fixed", "uniform"}});
}

void RecordDistribution::fill(const Input&, void*, int) const {
  throw std::logic_error("a distribution of records makes no keys of fixed width");
}

std::uint64_t RecordDistribution::total_bytes(const Input& input, int threads) const {
  const std::unique_ptr<KeySource> keys = source(input);
  const Payloads payloads{input};
  std::atomic<std::uint64_t> total = 0;
  in_parallel(input.n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    std::uint64_t mine = 0;
    for (std::uint64_t i = begin; i < end; ++i) mine += std::uint64_t{keys->key(i, nullptr)} + payloads.bytes(i);
    total += mine;
  });
  return total;
}

void RecordDistribution::fill_records(const Input& input, Record* records, std::uint8_t* bytes, int threads) const {
  const std::unique_ptr<KeySource> keys = source(input);
  const Payloads payloads{input};
  in_parallel(input.n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) records[i] = {0, keys->key(i, nullptr), payloads.bytes(i)};
  });
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0; i < input.n; ++i) {
    records[i].offset = offset;
    offset += records[i].bytes();
  }
  in_parallel(input.n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    for (std::uint64_t i = begin; i < end; ++i) {
      keys->key(i, bytes + records[i].offset);
      payloads.write(i, {bytes + records[i].offset + records[i].key_bytes, records[i].payload_bytes});
    }
  });
}

Alphabet chosen_alphabet(const Parameters& parameters) {
  const std::string& word = parameters.word("alphabet");
  return word == "bytes" ? Alphabet::bytes : word == "letters" ? Alphabet::letters : Alphabet::extremes;
}

Parameter alphabet_parameter() {
  return {.name = "alphabet",
          .meaning = "bytes that keys are made of: all, letters from a to z, or 0x00 and 0xFF alone",
          .standard = std::string{"bytes"},
          .choices = {"bytes", "letters", "extremes"}};
}

void fill_bytes(std::uint64_t seed, std::uint64_t stream, Alphabet alphabet, std::span<std::uint8_t> to) {
  constexpr std::size_t chunk = 256;  // words
  const RandomStream random{seed, stream};
  std::uint32_t words[chunk];
  for (std::size_t at = 0; at < to.size(); at += 4 * chunk) {
    const std::size_t count = std::min(4 * chunk, to.size() - at);
    random.fill(at / 4, (count + 3) / 4, words);
    std::memcpy(to.data() + at, words, count);
  }
  if (alphabet == Alphabet::bytes) return;
  for (std::uint8_t& byte : to) {
    const bool letters = alphabet == Alphabet::letters;
    byte = static_cast<std::uint8_t>(letters ? 'a' + (byte * 26 >> 8) : byte % 2 == 0 ? 0x00 : 0xFF);
  }
}

}  // namespace sortlab

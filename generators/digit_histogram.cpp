#include "generators/digit_histogram.hpp"

#include <mutex>

#include "generators/fill_keys.hpp"

namespace sortlab {

std::vector<std::uint64_t> digit_histogram(KeyType key, const void* keys, std::uint64_t n, int shift, int bits,
                                           int threads) {
  const std::size_t digits = std::size_t{1} << bits;
  std::vector<std::uint64_t> counts(digits);
  if (shift >= key_width(key)) {
    counts[0] = n;
    return counts;
  }
  std::mutex mutex;
  with_key_type(key, [&]<class K>() {
    in_parallel(n, threads, kChunk, [&](std::uint64_t begin, std::uint64_t end) {
      std::vector<std::uint64_t> part(digits);
      for (std::uint64_t i = begin; i < end; ++i) {
        const Bits<K> ordered = to_ordered(std::bit_cast<K>(load<Bits<K>>(keys, i)));
        ++part[static_cast<std::size_t>(ordered >> shift) & (digits - 1)];
      }
      const std::scoped_lock lock{mutex};
      for (std::size_t d = 0; d < digits; ++d) counts[d] += part[d];
    });
  });
  return counts;
}

}  // namespace sortlab

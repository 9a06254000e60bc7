#include "generators/philox.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sortlab {
namespace {

/// Writes all four words of blocks [first, first + blocks) of a stream.
using FillBlocks = void (*)(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::uint64_t blocks,
                            std::uint32_t* words);

void fill_portable(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::uint64_t blocks,
                   std::uint32_t* words) {
  for (std::uint64_t b = 0; b < blocks; ++b) std::ranges::copy(philox(seed, first + b, stream), words + 4 * b);
}

#if defined(__x86_64__)
// Eight blocks at a time, as a structure of arrays. Word j of four blocks is in the low halves of the four 64-bit lanes
// of c[j], where vpmuludq reads it. The high halves hold remains of earlier products, which no later instruction reads.
// So a round costs two multiplications, two shifts and four exclusive ors for four blocks (16 words). Compilers emulate
// a full 64-bit product instead.
constexpr int kRounds = 10;
constexpr std::size_t kGroups = 2;  // groups of four blocks, interleaved to hide the latency of the multiplications

[[gnu::target("avx2")]] void fill_avx2(std::uint64_t seed, std::uint64_t stream, std::uint64_t first,
                                       std::uint64_t blocks, std::uint32_t* words) {
  const __m256i m0 = _mm256_set1_epi64x(PHILOX_M4x32_0);
  const __m256i m1 = _mm256_set1_epi64x(PHILOX_M4x32_1);
  __m256i k0[kRounds];
  __m256i k1[kRounds];
  for (std::uint32_t r = 0; r < kRounds; ++r) {
    k0[r] = _mm256_set1_epi64x(static_cast<std::uint32_t>(seed) + r * PHILOX_W32_0);
    k1[r] = _mm256_set1_epi64x(static_cast<std::uint32_t>(seed >> 32) + r * PHILOX_W32_1);
  }
  const __m256i stream_low = _mm256_set1_epi64x(static_cast<long long>(stream));
  const __m256i stream_high = _mm256_srli_epi64(stream_low, 32);
  // Lanes 0 and 2 are stored together below, then 1 and 3. This order of the blocks makes them adjacent in memory.
  const __m256i lane_block = _mm256_set_epi64x(3, 1, 2, 0);

  const std::uint64_t whole = blocks - blocks % (4 * kGroups);
  for (std::uint64_t b = 0; b < whole; b += 4 * kGroups, words += 16 * kGroups) {
    __m256i c0[kGroups];
    __m256i c1[kGroups];
    __m256i c2[kGroups];
    __m256i c3[kGroups];
    for (std::size_t g = 0; g < kGroups; ++g) {
      const auto base = static_cast<std::int64_t>(first + b + 4 * g);
      c0[g] = _mm256_add_epi64(_mm256_set1_epi64x(base), lane_block);
      c1[g] = _mm256_srli_epi64(c0[g], 32);
      c2[g] = stream_low;
      c3[g] = stream_high;
    }
#pragma GCC unroll 10
    for (int r = 0; r < kRounds; ++r) {
      for (std::size_t g = 0; g < kGroups; ++g) {
        const __m256i p0 = _mm256_mul_epu32(c0[g], m0);
        const __m256i p1 = _mm256_mul_epu32(c2[g], m1);
        // Computed while the products are in flight. The barrier keeps the compiler from moving it after them.
        __m256i keyed1 = _mm256_xor_si256(c1[g], k0[r]);
        __m256i keyed3 = _mm256_xor_si256(c3[g], k1[r]);
        asm("" : "+x"(keyed1), "+x"(keyed3));
        c0[g] = _mm256_xor_si256(_mm256_srli_epi64(p1, 32), keyed1);
        c2[g] = _mm256_xor_si256(_mm256_srli_epi64(p0, 32), keyed3);
        c1[g] = p1;
        c3[g] = p0;
      }
    }
    for (std::size_t g = 0; g < kGroups; ++g) {
      const __m256i low = _mm256_blend_epi32(c0[g], _mm256_slli_epi64(c1[g], 32), 0xAA);
      const __m256i high = _mm256_blend_epi32(c2[g], _mm256_slli_epi64(c3[g], 32), 0xAA);
      auto* out = reinterpret_cast<__m256i*>(words + 16 * g);
      _mm256_storeu_si256(out, _mm256_unpacklo_epi64(low, high));
      _mm256_storeu_si256(out + 1, _mm256_unpackhi_epi64(low, high));
    }
  }
  fill_portable(seed, stream, first + whole, blocks - whole, words);
}
#endif

FillBlocks fastest() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return fill_avx2;
#endif
  return fill_portable;
}

}  // namespace

void RandomStream::fill(std::uint64_t first, std::uint64_t count, std::uint32_t* words) const {
  static const FillBlocks fill_blocks = fastest();
  const std::uint64_t blocks = count / 4;
  fill_blocks(seed_, stream_, first / 4, blocks, words);
  const auto last = block(first / 4 + blocks);
  std::copy_n(last.begin(), count % 4, words + 4 * blocks);
}

}  // namespace sortlab

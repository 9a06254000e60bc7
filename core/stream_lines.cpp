#include "core/stream_lines.hpp"

#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sortlab {
namespace {

#if defined(__x86_64__)
void by_16_bytes(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<__m128i*>(to);
  const auto* in = static_cast<const __m128i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); i += 4) {
    // A line is loaded whole before it is stored, so that its four stores follow one another into one line buffer.
    const __m128i a = _mm_loadu_si128(in + i);
    const __m128i b = _mm_loadu_si128(in + i + 1);
    const __m128i c = _mm_loadu_si128(in + i + 2);
    const __m128i d = _mm_loadu_si128(in + i + 3);
    _mm_stream_si128(out + i, a);
    _mm_stream_si128(out + i + 1, b);
    _mm_stream_si128(out + i + 2, c);
    _mm_stream_si128(out + i + 3, d);
  }
}

[[gnu::target("avx")]] void by_32_bytes(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<__m256i*>(to);
  const auto* in = static_cast<const __m256i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m256i); i += 2) {
    const __m256i a = _mm256_loadu_si256(in + i);
    const __m256i b = _mm256_loadu_si256(in + i + 1);
    _mm256_stream_si256(out + i, a);
    _mm256_stream_si256(out + i + 1, b);
  }
}

[[gnu::target("avx512f")]] void by_64_bytes(void* to, const void* from, std::size_t bytes) {
  auto* out = static_cast<__m512i*>(to);
  const auto* in = static_cast<const __m512i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m512i); ++i) _mm512_stream_si512(out + i, _mm512_loadu_si512(in + i));
}
#endif

StreamLines widest() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f")) return by_64_bytes;
  if (__builtin_cpu_supports("avx")) return by_32_bytes;
  return by_16_bytes;
#else
  return [](void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); };
#endif
}

}  // namespace

const StreamLines stream_lines = widest();

}  // namespace sortlab

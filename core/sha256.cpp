#include "core/sha256.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <array>
#include <bit>
#include <cstdint>
#include <stdexcept>

#include "core/read_file.hpp"

namespace sortlab {
namespace {

using Words = std::array<std::uint32_t, 8>;

/// The first 32 bits of the fractional parts of the cube roots of the first 64 primes (section 4.2.2).
constexpr std::array<std::uint32_t, 64> kRound{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// The first 32 bits of the fractional parts of the square roots of the first 8 primes (section 5.3.3).
constexpr Words kBegin{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::size_t kBlock = 64;  // bytes

/// Adds one block to the hash value (section 6.2.2).
void take_block(Words& hash, const char* block) {
  std::array<std::uint32_t, 64> w{};
  for (std::size_t t = 0; t < 16; ++t) {
    for (std::size_t byte = 0; byte < 4; ++byte) w[t] = w[t] << 8 | static_cast<unsigned char>(block[4 * t + byte]);
  }
  for (std::size_t t = 16; t < 64; ++t) {
    const std::uint32_t s0 = std::rotr(w[t - 15], 7) ^ std::rotr(w[t - 15], 18) ^ w[t - 15] >> 3;
    const std::uint32_t s1 = std::rotr(w[t - 2], 17) ^ std::rotr(w[t - 2], 19) ^ w[t - 2] >> 10;
    w[t] = s1 + w[t - 7] + s0 + w[t - 16];
  }
  auto [a, b, c, d, e, f, g, h] = hash;
  for (std::size_t t = 0; t < 64; ++t) {
    const std::uint32_t sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + kRound[t] + w[t];
    const std::uint32_t sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t1;
    d = c;
    c = b;
    b = a;
    a = t1 + t2;
  }
  const Words added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < hash.size(); ++i) hash[i] += added[i];
}

void take_blocks_portably(Words& hash, const char* blocks, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) take_block(hash, blocks + i * kBlock);
}

using TakeBlocks = void (*)(Words& hash, const char* blocks, std::size_t count);

#if defined(__x86_64__)

/// The same by the processor's SHA extensions (Intel, Intel SHA Extensions, 2013), six times as fast.
[[gnu::target("sha,sse4.1,ssse3")]] void take_blocks_by_extensions(Words& hash, const char* blocks, std::size_t count) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto load = [](const void* from) { return _mm_loadu_si128(static_cast<const __m128i*>(from)); };
  // The instructions keep the words in the order abef, cdgh.
  const __m128i badc = _mm_shuffle_epi32(load(hash.data()), 0xb1);
  const __m128i hgfe = _mm_shuffle_epi32(load(hash.data() + 4), 0x1b);
  __m128i abef = _mm_alignr_epi8(badc, hgfe, 8);
  __m128i cdgh = _mm_blend_epi16(hgfe, badc, 0xf0);
  for (std::size_t block = 0; block < count; ++block) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) w[i] = _mm_shuffle_epi8(load(blocks + block * kBlock + 16 * i), swap);
    for (int i = 0; i < 16; ++i) {
      const __m128i rounds = _mm_add_epi32(w[i % 4], load(kRound.data() + 4 * i));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, rounds);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(rounds, 0x0e));
      if (i >= 12) continue;
      const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(w[i % 4], w[(i + 1) % 4]),
                                        _mm_alignr_epi8(w[(i + 3) % 4], w[(i + 2) % 4], 4));
      w[i % 4] = _mm_sha256msg2_epu32(sum, w[(i + 3) % 4]);
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1b);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(hash.data()), _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(hash.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}

bool has_extensions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  constexpr unsigned sha = 1U << 29;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0 && __builtin_cpu_supports("sse4.1") != 0;
}

TakeBlocks fastest() {
  return has_extensions() ? take_blocks_by_extensions : take_blocks_portably;
}

#else

TakeBlocks fastest() {
  return take_blocks_portably;
}

#endif

std::string digest(std::string_view text, TakeBlocks take_blocks) {
  Words hash = kBegin;
  const std::size_t whole = text.size() / kBlock * kBlock;
  take_blocks(hash, text.data(), whole / kBlock);
  std::string rest{text.substr(whole)};
  rest += '\x80';
  while (rest.size() % kBlock != kBlock - 8) rest += '\0';
  const std::uint64_t bits = std::uint64_t{text.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift & 0xff);
  take_blocks(hash, rest.data(), rest.size() / kBlock);
  std::string digits;
  for (const std::uint32_t word : hash) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 0xf];
  }
  return digits;
}

}  // namespace

std::string sha256_hex(std::string_view text) {
  static const TakeBlocks take_blocks = fastest();
  return digest(text, take_blocks);
}

std::string sha256_hex_portably(std::string_view text) {
  return digest(text, take_blocks_portably);
}

std::string sha256_of_file(const std::filesystem::path& path) {
  const std::optional<std::string> bytes = read_file(path);
  if (!bytes) throw std::runtime_error(path.string() + ": cannot be read");
  return sha256_hex(*bytes);
}

}  // namespace sortlab

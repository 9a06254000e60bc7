#include "generators/philox.hpp"

#include <algorithm>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generators/philox.cpp"
#include <hwy/foreach_target.h>
// It must come first: it includes this file once for each target.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace sortlab::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// Writes all four words of blocks [first, first + blocks) of a stream.
///
/// Several blocks are made at a time, as a structure of arrays. Word j of each block is in the low half of a 64-bit
/// lane of cj, where MulEven reads it. The high halves hold remains of earlier products, which no later instruction
/// reads. So a round costs two multiplications, two shifts and four exclusive ors for as many blocks as a vector has
/// lanes. Compilers emulate a full 64-bit product instead.
void fill_blocks(std::uint64_t seed, std::uint64_t stream, std::uint64_t first, std::uint64_t blocks,
                 std::uint32_t* words) {
  std::uint64_t whole = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::uint32_t kRounds = 10;
  const hn::ScalableTag<std::uint64_t> d64;
  const hn::Repartition<std::uint32_t, decltype(d64)> d32;
  const std::size_t lanes = hn::Lanes(d64);
  const auto product = [&](auto word, std::uint32_t factor)
                           HWY_ATTR { return hn::MulEven(hn::BitCast(d32, word), hn::Set(d32, factor)); };
  const auto key = [&](std::uint64_t half, std::uint32_t step, std::uint32_t round)
                       HWY_ATTR { return hn::Set(d64, static_cast<std::uint32_t>(half) + round * step); };
  // Even lanes are stored together below, then odd ones. This order of the blocks makes them adjacent in memory.
  const auto lane = hn::Iota(d64, 0);
  const auto odd = hn::And(lane, hn::Set(d64, 1));
  const auto lane_block =
      hn::Add(hn::ShiftRight<1>(lane), hn::IfThenElseZero(hn::Ne(odd, hn::Zero(d64)), hn::Set(d64, lanes / 2)));
  const auto stream_low = hn::Set(d64, stream);
  const auto stream_high = hn::ShiftRight<32>(stream_low);

  // Two groups of blocks hide the latency of each other's multiplications.
  whole = blocks - blocks % (2 * lanes);
  for (std::uint64_t b = 0; b < whole; b += 2 * lanes, words += 8 * lanes) {
    auto a0 = hn::Add(hn::Set(d64, first + b), lane_block);
    auto b0 = hn::Add(hn::Set(d64, first + b + lanes), lane_block);
    auto a1 = hn::ShiftRight<32>(a0);
    auto b1 = hn::ShiftRight<32>(b0);
    auto a2 = stream_low;
    auto b2 = stream_low;
    auto a3 = stream_high;
    auto b3 = stream_high;
#pragma GCC unroll 10
    for (std::uint32_t r = 0; r < kRounds; ++r) {
      const auto low_key = key(seed, PHILOX_W32_0, r);
      const auto high_key = key(seed >> 32, PHILOX_W32_1, r);
      const auto pa0 = product(a0, PHILOX_M4x32_0);
      const auto pb0 = product(b0, PHILOX_M4x32_0);
      const auto pa1 = product(a2, PHILOX_M4x32_1);
      const auto pb1 = product(b2, PHILOX_M4x32_1);
      a0 = hn::Xor(hn::ShiftRight<32>(pa1), hn::Xor(a1, low_key));
      b0 = hn::Xor(hn::ShiftRight<32>(pb1), hn::Xor(b1, low_key));
      a2 = hn::Xor(hn::ShiftRight<32>(pa0), hn::Xor(a3, high_key));
      b2 = hn::Xor(hn::ShiftRight<32>(pb0), hn::Xor(b3, high_key));
      a1 = pa1;
      b1 = pb1;
      a3 = pa0;
      b3 = pb0;
    }
    const auto store = [&](auto c0, auto c1, auto c2, auto c3, std::uint32_t* to) HWY_ATTR {
      const auto low_half = hn::Set(d64, 0xFFFFFFFF);
      const auto low = hn::Or(hn::And(c0, low_half), hn::ShiftLeft<32>(c1));
      const auto high = hn::Or(hn::And(c2, low_half), hn::ShiftLeft<32>(c3));
      hn::StoreU(hn::BitCast(d32, hn::InterleaveLower(d64, low, high)), d32, to);
      hn::StoreU(hn::BitCast(d32, hn::InterleaveUpper(d64, low, high)), d32, to + 2 * lanes);
    };
    store(a0, a1, a2, a3, words);
    store(b0, b1, b2, b3, words + 4 * lanes);
  }
#endif
  for (std::uint64_t b = whole; b < blocks; ++b, words += 4) std::ranges::copy(philox(seed, first + b, stream), words);
}

}  // namespace sortlab::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sortlab {

HWY_EXPORT(fill_blocks);

void RandomStream::fill(std::uint64_t first, std::uint64_t count, std::uint32_t* words) const {
  const std::uint64_t blocks = count / 4;
  HWY_DYNAMIC_DISPATCH(fill_blocks)(seed_, stream_, first / 4, blocks, words);
  const auto last = block(first / 4 + blocks);
  std::copy_n(last.begin(), count % 4, words + 4 * blocks);
}

}  // namespace sortlab
#endif

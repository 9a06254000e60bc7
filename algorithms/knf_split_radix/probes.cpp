// Micro-benchmark MB11, pieces of knf_split_radix, timed with the sort's own kernels: counting a tile's digits,
// splitting a tile by one bit, and copying a digit's run to its place.
#include <cmath>

#include "algorithms/host_probe.hpp"
#include "algorithms/knf_split_radix/split_kernels.hpp"
#include "algorithms/knf_split_radix/tile_histogram.hpp"

namespace sortlab::calibration {
namespace {

using knf::CompressForm;

constexpr std::size_t kTile = Arena::kCached;  ///< bytes of a tile, keys and values
constexpr int kBits = 8;                       ///< splits that sort a tile
constexpr std::size_t kTimes = 2;              ///< repetitions

/// Counts digits of `bits` bits that are set with probability kBiases[bias]. The keys are in the second-level cache,
/// the third, or memory.
template <class Word>
void add_count(Rounds& rounds, HostBench& bench, int threads, std::size_t bias, int bits) {
  const double chance = kBiases[bias];
  const double collision = std::abs(bits * std::log2(chance * chance + (1 - chance) * (1 - chance)));
  for (const std::size_t bytes : {kTile, Arena::kNear, bench.arenas[0]->bytes}) {
    rounds.add("split.count", point(threads, sizeof(Word), collision, bytes), [&bench, threads, bias, bits, bytes] {
      const std::size_t tiles = (bytes == kTile ? std::size_t{1} << 20 : Arena::kNear) / kTile;
      const auto tile_keys = [&](int thread, std::size_t tile) {
        const Arena& arena = bench.arena(thread);
        const std::byte* const first = arena.biased[bias].data() + (bytes == kTile ? 0 : tile * kTile);
        // min() avoids a warning of GCC 12 about a loop over more than memory holds.
        return std::span{reinterpret_cast<const Word*>(first), std::min(kTile, arena.bytes) / sizeof(Word)};
      };
      const auto count = [&](int thread) {
        const std::size_t radix = std::size_t{1} << bits;
        knf::TileHistogram histogram{radix};
        std::vector<std::uint32_t> counts(radix);
        std::vector<std::uint64_t> totals(radix);
        for (std::size_t tile = 0; tile < tiles; ++tile) {
          histogram.count<false>(tile_keys(thread, tile), {.shift = 0, .bits = bits}, counts.data(), totals.data());
        }
        keep(totals[0]);
      };
      const auto place = [&](int thread) {
        count(thread);
        if (bytes != kTile) Arena::place(bench.arena(thread).biased[bias], bytes);
      };
      const std::size_t counted = tiles * (kTile / sizeof(Word));
      return timed(threads, count, place) / static_cast<double>(counted);
    });
  }
}

/// The two sides of splits. Four buffers alternate as in the sort.
struct Sides {
  std::byte* keys;
  std::byte* values;
  std::size_t key_stride, value_stride;

  knf::Side operator[](int number) const {
    const auto at = static_cast<std::size_t>(number);
    return {keys + at * key_stride, values + at * value_stride};
  }
};

/// Splits a tile of n elements at `keys` and `values` by `bits` bits.
void split_tile(const knf::Kernels& kernels, const void* keys, const void* values, std::size_t n, std::size_t key_bytes,
                int bits, const Sides& sides) {
  std::array<knf::Side, 2> from{{{const_cast<void*>(keys), const_cast<void*>(values)}, {}}};
  std::array<std::size_t, 2> count{n, 0};
  for (int bit = 0; bit < bits; ++bit) {
    const int pair = bit % 2 * 2;
    std::array<knf::Side, 2> to{sides[pair], sides[pair + 1]};
    for (std::size_t side = 0; side < 2; ++side) {
      kernels.split(from[side].keys, from[side].values, count[side], bit, to[0], to[1]);
    }
    for (std::size_t side = 0; side < 2; ++side) {
      from[side] = sides[pair + static_cast<int>(side)];
      count[side] =
          static_cast<std::size_t>(static_cast<std::byte*>(to[side].keys) - static_cast<std::byte*>(from[side].keys)) /
          key_bytes;
    }
  }
}

void add_split(Rounds& rounds, HostBench& bench, int threads, const std::string& target, CompressForm form,
               std::size_t key, std::size_t value) {
  const std::string table = "split." + target + (form == CompressForm::memory ? ".memory" : ".register");
  const knf::Kernels kernels = knf::kernels_for(knf::targets().target_bit(target), form, key, value);
  const std::size_t n = kTile / (key + value);
  const auto make_sides = [key, value](Arena& arena) {
    const std::size_t n_bytes = kTile / (key + value);
    return Sides{arena.word_buffers.data(), arena.value_buffers.data(), n_bytes * key + knf::kPadBytes,
                 n_bytes * value + knf::kPadBytes};
  };
  // A tile in cache is split by all bits, other tiles by one.
  const auto seconds = [&bench, threads, kernels, key, n, make_sides](std::size_t bytes) {
    const bool cached = bytes == kTile;
    const bool far = bytes > Arena::kNear;
    const std::size_t times = cached ? kTimes : Arena::kNear / kTile;
    const auto split_at = [&](int thread, std::size_t position) {
      Arena& arena = bench.arena(thread);
      split_tile(kernels, arena.words.data() + position, arena.biased_words.data() + position, n, key,
                 cached ? kBits : 1, make_sides(arena));
    };
    const auto split = [&](int thread) {
      Arena& arena = bench.arena(thread);
      for (std::size_t i = 0; i < times; ++i) {
        split_at(thread,
                 far ? static_cast<std::size_t>(arena.next_bytes(arena.words, kTile).data() - arena.words.data())
                     : i * kTile % bytes);
      }
    };
    const auto warm = [&](int thread) {
      Arena& arena = bench.arena(thread);
      split_at(thread, 0);
      if (cached || far) return;
      Arena::place(arena.words, bytes);
      Arena::place(arena.biased_words, bytes);
    };
    return timed(threads, split, warm) / static_cast<double>(times * (cached ? kBits : 1) * n);
  };
  for (const std::size_t bytes : {kTile, Arena::kNear, bench.arenas[0]->bytes}) {
    rounds.add(table, point(threads, key, value, bytes), [seconds, bytes] { return seconds(bytes); });
  }
}

/// Rate of copying runs of `bytes` on average from a tile in cache to 2^kBits places in memory.
double bytes_per_second(const HostBench& bench, const knf::Kernels& kernels, int threads, bool streaming,
                        std::size_t element, std::size_t bytes) {
  constexpr std::size_t all = std::size_t{2} << 20;
  std::vector<std::size_t> copied(static_cast<std::size_t>(threads));
  const auto copy = [&](int thread) {
    Arena& arena = bench.arena(thread);
    const std::size_t part = arena.bytes >> kBits;
    const std::size_t mean = bytes / element;
    std::vector<std::size_t> cursors(std::size_t{1} << kBits);
    for (std::size_t d = 0; d < cursors.size(); ++d) cursors[d] = arena.order[d] % 64;
    std::size_t from = 0;
    std::size_t done = 0;
    for (std::size_t d = arena.touches++ % cursors.size(); done < all; d = (d + 1) % cursors.size()) {
      const std::size_t run = mean / 2 + arena.order[d + done % 4096] % (mean + 1);
      if ((from + run) * element > kTile) from = 0;
      const std::size_t to = (d * part / element + cursors[d] % (part / element / 2));
      kernels.copy_keys(arena.words.data() + from * element, arena.out_words.data() + to * element,
                        std::min(run, kTile / element), knf::KeyMap::none, streaming);
      cursors[d] += run;
      from += run;
      done += run * element;
    }
    finish_streaming();
    copied[static_cast<std::size_t>(thread)] = done;
  };
  const auto fetch = [&](int thread) {  // in a sort, the tile has just been split
    read_stream({bench.arena(thread).words.data(), kTile});
  };
  const double seconds = timed(threads, copy, fetch);
  std::size_t sum = 0;
  for (const std::size_t some : copied) sum += some;
  return static_cast<double>(sum) / seconds;
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("split.count", "s/element",
                 "MB11: knf_split_radix counts tiles out of 'bytes', by digits of 8 bits of a known collision entropy",
                 {"threads", "key", "collision_bits", "bytes"});
  const std::int64_t widest = knf::targets().target_bit(knf::targets().widest());
  sweep(
      rounds,
      {"split.copy", "B/s",
       "MB11: knf_split_radix copies runs of 'run_bytes' on average from cache to 256 places; bytes written"},
      [&bench, widest](int threads, bool streaming, std::size_t element, std::size_t bytes) {
        const knf::Kernels kernels = knf::kernels_for(widest, CompressForm::in_register, element, 0);
        return bytes_per_second(bench, kernels, threads, streaming, element, bytes);
      },
      bench.all_threads(), Axis<bool>{"nontemporal", {false, true}}, Axis<std::size_t>{"element", {4, 8}},
      Axis<std::size_t>{"run_bytes", {64, 256, 1024, 4096, 1 << 17}});
  std::vector<std::string> targets;
  for (const std::string& target : knf::targets().words()) {
    if (knf::targets().runs_here(target)) targets.push_back(target);
    if (bench.quick && !targets.empty()) break;  // only the widest, which auto chooses
  }
  for (const std::string& target : targets) {
    for (const char* form : {"register", "memory"}) {
      rounds.declare("split." + target + "." + form, "s/element",
                     "MB11: knf_split_radix splits a tile by one bit; the tile in cache, or out of 'bytes'",
                     {"threads", "key", "value", "bytes"});
    }
  }
  for (const int threads : bench.threads) {
    for (const auto& [bias, bits] : kCountedDigits) {
      add_count<std::uint32_t>(rounds, bench, threads, bias, bits);
      add_count<std::uint64_t>(rounds, bench, threads, bias, bits);
    }
    for (const std::string& target : targets) {
      for (const CompressForm form : {CompressForm::in_register, CompressForm::memory}) {
        for (const std::size_t key : {4, 8}) {
          for (const std::size_t value : {0, 4, 8}) add_split(rounds, bench, threads, target, form, key, value);
        }
      }
    }
  }
}

const RegisterProbe registered{HostProbe{"knf_split_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

// Micro-benchmark MB11, pieces of paradis, timed with the sort's own functions: counting digits, permuting a bucket in
// place, and sorting buckets of few elements.
#include <cmath>
#include <optional>

#include "algorithms/host_probe.hpp"
#include "algorithms/paradis/histogram.hpp"
#include "algorithms/paradis/permute.hpp"
#include "algorithms/paradis/small_sort.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kRadix = 256;
constexpr std::size_t kCached = Arena::kCached;       ///< bytes of buckets in the second-level cache
constexpr std::size_t kChunk = std::size_t{4} << 20;  ///< bytes of keys that are permuted in memory

/// Stripes that together hold some keys. Each has room for the keys of its digit, and begins at `first(digit, keys
/// before it)`.
struct Bounds {
  template <class K>
  Bounds(const K* keys, std::size_t n, paradis::Digit<K> digit, const auto& first)
      : head(kRadix), tail(head), hole_end(head) {
    // min() avoids a warning of GCC 12 about a loop over more than memory holds.
    paradis::count_digits<K>(keys, std::min(n, kChunk), digit, tail.data(), hole_end.data());
    std::uint64_t before = 0;
    for (std::uint32_t d = 0; d < digit.radix(); ++d) {
      const std::uint64_t count = tail[d];
      head[d] = first(d, before);
      tail[d] = head[d] + count;
      before += count;
    }
  }
  paradis::Stripes stripes() { return {head.data(), tail.data(), hole_end.data()}; }
  std::vector<std::uint64_t> head, tail, hole_end;
};

/// Probes for one element type and number of threads. Keys are permuted in `out_words`, values in `out_values`.
template <class K, class V>
struct Pieces : HostPieces<K, V> {
  using HostPieces<K, V>::arena, HostPieces<K, V>::at, HostPieces<K, V>::threads, HostPieces<K, V>::value_bytes;
  using Run = paradis::Run<K, V>;
  static constexpr std::size_t element = sizeof(K) + value_bytes;

  Run whole(Arena& a) const {
    return {a.out_words.data<K>(), reinterpret_cast<V*>(a.out_values.data()), a.bytes / sizeof(K)};
  }

  /// Copies keys into the caches, and touches their values.
  static void fill(const Run& run, const K* keys) {
    std::copy_n(keys, run.n, run.keys);
    if constexpr (Run::has_values) std::fill_n(run.values, run.n, V{1});
  }
  static void evict(const Run& run) {
    evict_lines({reinterpret_cast<std::byte*>(run.keys), run.n * sizeof(K)});
    evict_lines({reinterpret_cast<std::byte*>(run.values), run.n * value_bytes});
  }

  /// Permutes adjacent buckets in cache, or one bucket whose stripes are spread over the arena like those of a bucket
  /// of that size. Only the part that is not yet permuted exists. Such stripes deviate from even spacing by a random
  /// walk.
  void add_permute(Rounds& rounds, const Digit& digit, double bytes, std::size_t n, bool cached) const {
    rounds.add("paradis.permute", at(bytes, digit.collision_bits), [*this, digit, n, cached] {
      const std::size_t buckets = cached ? std::max<std::size_t>(1, kCached / element / n) : 1;
      const paradis::Digit<K> by{digit.shift, (std::uint32_t{1} << digit.bits) - 1};
      std::vector<std::vector<Bounds>> bounds(static_cast<std::size_t>(threads));
      const auto make = [&](int thread) {
        Arena& a = arena(thread);
        const Pages& words = digit.uniform ? a.words : a.biased_words;
        const auto* const keys = reinterpret_cast<const K*>(a.next_bytes(words, buckets * n * sizeof(K)).data());
        std::vector<Bounds>& mine = bounds[static_cast<std::size_t>(thread)];
        const std::size_t apart = a.bytes / std::max(sizeof(K), value_bytes) >> digit.bits;
        const auto spread = static_cast<std::size_t>(std::sqrt(apart << digit.bits));
        for (std::size_t b = 0; b < buckets; ++b) {
          mine.emplace_back(keys + b * n, n, by, [&](std::size_t d, std::size_t before) {
            return cached ? b * n + before : d * apart + a.order[d] % spread;
          });
        }
        if (cached) return fill(whole(a).part(0, buckets * n), keys);
        std::size_t from = 0;
        for (std::size_t d = 0; d <= by.mask; ++d) {
          const Run stripe = whole(a).part(mine[0].head[d], mine[0].tail[d]);
          fill(stripe, keys + from);
          evict(stripe);
          from += stripe.n;
        }
      };
      const auto permute = [&](int thread) {
        for (Bounds& bucket : bounds[static_cast<std::size_t>(thread)]) {
          paradis::Permutation<K, V>(whole(arena(thread)), by, bucket.stripes()).permute();
        }
      };
      return timed(threads, permute, make) / static_cast<double>(buckets * n);
    });
  }

  /// Permutes stripes of the buckets of one array. Their lines lie in the caches of the threads that have counted them.
  void add_together(Rounds& rounds, std::size_t bytes) const {
    rounds.add("paradis.together", at(bytes), [*this, bytes] {
      const std::size_t n = bytes / element;
      const paradis::Digit<K> by{0, kRadix - 1};
      const auto* const keys = arena(0).words.template data<K>();
      const Run run = whole(arena(0)).part(0, n);
      const auto part = [&](std::uint64_t count, int thread) {
        return count * static_cast<std::uint64_t>(thread) / threads;
      };
      timed(1, [&](int) { fill(run, keys); });
      std::vector<std::optional<Bounds>> bounds(static_cast<std::size_t>(threads));
      const auto make = [&](int thread) {
        std::optional<Bounds>& mine = bounds[static_cast<std::size_t>(thread)];
        mine.emplace(keys, n, by, [](auto, std::size_t before) { return before; });
        for (std::size_t d = 0; d < kRadix; ++d) {
          const std::uint64_t first = mine->head[d];
          const std::uint64_t count = mine->tail[d] - first;
          mine->head[d] = first + part(count, thread);
          mine->tail[d] = first + part(count, thread + 1);
        }
        const Run share = run.part(part(n, thread), part(n, thread + 1));
        read_stream({reinterpret_cast<const std::byte*>(share.keys), share.n * sizeof(K)});
        read_stream({reinterpret_cast<const std::byte*>(share.values), share.n * value_bytes});
      };
      const auto permute = [&](int thread) {
        paradis::Permutation<K, V>(run, by, bounds[static_cast<std::size_t>(thread)]->stripes()).permute();
      };
      return timed(threads, permute, make) * threads / static_cast<double>(n);
    });
  }

  /// Sorts buckets of n keys of `rest` random bits, as many as fit into the cache, by `sort(bucket, small)`.
  void add_small(Rounds& rounds, const char* table, std::vector<double> where, std::size_t n, int rest,
                 const auto& sort) const {
    rounds.add(table, std::move(where), [*this, n, rest, sort] {
      const std::size_t buckets = kCached / element / n;
      std::vector<Run> runs(static_cast<std::size_t>(threads));
      const auto make = [&](int thread) {
        Arena& a = arena(thread);
        const auto* const keys = reinterpret_cast<const K*>(a.next_bytes(a.words, buckets * n * sizeof(K)).data());
        const Run& run = runs[static_cast<std::size_t>(thread)] = whole(a).part(0, buckets * n);
        fill(run, keys);
        for (std::size_t i = 0; i < run.n; ++i) run.keys[i] &= static_cast<K>(~K{0}) >> (8 * sizeof(K) - rest);
      };
      const auto sort_all = [&](int thread) {
        const Run& run = runs[static_cast<std::size_t>(thread)];
        paradis::SmallSort<K, V> small{paradis::SmallSort<K, V>::largest};
        for (std::size_t b = 0; b < buckets; ++b) sort(run.part(b * n, (b + 1) * n), small);
      };
      return timed_by_pieces(threads, sort_all, make) / static_cast<double>(buckets * n);
    });
  }
};

template <class K, class V>
void add_pieces(Rounds& rounds, HostBench& bench, int threads) {
  const Pieces<K, V> pieces{{bench, threads}};
  constexpr std::size_t element = Pieces<K, V>::element;
  const auto add_permutations = [&](const Digit& digit) {
    for (const std::size_t bytes : {std::size_t{16} << 10, kCached, std::size_t{2} << 20}) {
      pieces.add_permute(rounds, digit, static_cast<double>(bytes), bytes / element, true);
    }
    // With evenly spaced stripes, those of skewed digits would overlap.
    const std::size_t n = std::min(kChunk, bench.arenas[0]->bytes / 16) / sizeof(K);
    pieces.add_permute(rounds, digit, static_cast<double>(bench.arenas[0]->bytes), n, false);
  };
  for (const Digit& digit : kDigits) {
    if (digit.width == 8) add_permutations(digit);
  }
  add_permutations({8, 2.7123, false, 0, 4});  // between the others, typical of skewed inputs
  for (const std::size_t bytes : {std::size_t{256} << 10, std::size_t{1} << 20, std::size_t{4} << 20}) {
    if (threads > 1) pieces.add_together(rounds, bytes);
  }
  for (const std::size_t n : {32, 128, 512, 2048}) {
    for (const int rest : {8, 16, 8 * static_cast<int>(sizeof(K))}) {
      pieces.add_small(rounds, "paradis.small", pieces.at(rest, n), n, rest,
                       [rest](const auto& bucket, auto& small) { small.sort(bucket, rest); });
    }
  }
  for (const std::size_t n : {4, 8, 16, 32}) {
    pieces.add_small(rounds, "paradis.insertion", pieces.at(n), n, 8 * sizeof(K),
                     [](const auto& bucket, auto&) { paradis::insertion_sort(bucket, bucket.n * bucket.n); });
  }
}

/// Counts digits of `bits` bits that are set with probability kBiases[bias].
template <class K>
void add_count(Rounds& rounds, HostBench& bench, int threads, std::size_t bias, int bits) {
  const double chance = kBiases[bias];
  const double collision = std::abs(bits * std::log2(chance * chance + (1 - chance) * (1 - chance)));
  for (const std::size_t bytes : {kCached, Arena::kNear, bench.arenas[0]->bytes}) {
    rounds.add("paradis.count", point(threads, sizeof(K), collision, bytes), [&bench, threads, bias, bits, bytes] {
      const std::size_t n = std::min(bytes, Arena::kNear) / sizeof(K);
      const int times = bytes == kCached ? 4 : 1;
      const auto keys = [&](int thread) -> const Pages& { return bench.arena(thread).biased[bias]; };
      const auto count = [&](int thread) {
        const paradis::Digit<K> digit{0, (std::uint32_t{1} << bits) - 1};
        std::vector<std::uint64_t> counts(digit.radix());
        std::vector<std::uint64_t> more(digit.radix());
        for (int i = 0; i < times; ++i) {
          paradis::count_digits<K>(keys(thread).template data<K>(), n, digit, counts.data(), more.data());
        }
        keep(counts[0]);
      };
      const auto place = [&](int thread) {
        count(thread);
        if (bytes != kCached) Arena::place(keys(thread), bytes);
      };
      return timed(threads, count, place) / (times * static_cast<double>(n));
    });
  }
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("paradis.count", "s/element",
                 "MB11: paradis counts digits of 8 bits of a known collision entropy, of keys out of 'bytes'",
                 {"threads", "key", "collision_bits", "bytes"});
  rounds.declare("paradis.permute", "s/element",
                 "MB11: paradis permutes buckets of 'bytes' by 8 bits of a known collision entropy, one thread each",
                 {"threads", "key", "value", "bytes", "collision_bits"});
  if (bench.arenas.size() > 1) {
    rounds.declare(
        "paradis.together", "s/element",
        "MB11: threads permute stripes of the buckets of one array by 8 random bits, each its share of elements",
        {"threads", "key", "value", "bytes"});
  }
  rounds.declare("paradis.small", "s/element",
                 "MB11: paradis sorts buckets of so many random elements in cache, whose 'rest' lowest bits may differ",
                 {"threads", "key", "value", "rest", "elements"});
  rounds.declare("paradis.insertion", "s/element", "MB11: paradis sorts so many random elements in cache by insertion",
                 {"threads", "key", "value", "elements"});
  for (const int threads : bench.threads) {
    for (const auto& [bias, bits] : kCountedDigits) {
      add_count<std::uint32_t>(rounds, bench, threads, bias, bits);
      add_count<std::uint64_t>(rounds, bench, threads, bias, bits);
    }
  }
  for_words_and_threads(bench.threads,
                        [&]<class K, class V>(int threads) { add_pieces<K, V>(rounds, bench, threads); });
}

const RegisterProbe registered{HostProbe{"paradis", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

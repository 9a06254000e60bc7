// Micro-benchmark MB11, pieces of msd_radix_cpu, timed with the sort's own kernels: a partition by a pivot, sorting
// networks, a bucket in cache, and the sortedness check.
#include <algorithm>
#include <memory>

#include "algorithms/msd_radix_cpu/cached_sorter.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/probes.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kLargestSet = std::size_t{8} << 20;  ///< largest working set in bytes that is processed in full
constexpr std::size_t kBefore = 2048;  ///< words processed before the clock starts, to fetch the code
constexpr std::size_t kFromMemory = std::size_t{2} << 20;  ///< bytes of the range that is processed of a larger one

const msd::AllKeyKernels& key_kernels_for(const std::string& target) {
  return msd::key_kernels(msd::targets().target_bit(target));
}

template <class K, class V>
struct Pieces : MsdPieces<K, V> {
  using Base = MsdPieces<K, V>;
  using Word = typename Base::Word;
  using Base::arena, Base::at, Base::bench, Base::kernels, Base::keys, Base::table, Base::threads;

  /// Words `place` bytes into the stream, with values at the same place of theirs.
  Word* words(Arena& a, std::size_t place = 0) const {
    return a.out_words.template data<Word>() + place / sizeof(Word);
  }
  std::ptrdiff_t to_values(Arena& a) const { return Base::values ? a.out_values.template data<Word>() - words(a) : 0; }

  /// Fills n words with random numbers below `distinct` (0: any), in cache or not.
  void fill(Arena& a, std::size_t n, std::uint64_t distinct, std::size_t place, bool cached) const {
    Word* const to = words(a, place);
    const auto* const random = reinterpret_cast<const Word*>(a.next_bytes(a.words, n * sizeof(Word)).data());
    const auto mask = static_cast<Word>(distinct - 1);
    for (std::size_t i = 0; i < n; ++i) to[i] = random[i] & mask;
    if constexpr (Base::values) std::copy_n(random, n, to + to_values(a));
    if (cached) return;
    evict_lines({reinterpret_cast<std::byte*>(to), n * sizeof(Word)});
    if constexpr (Base::values) evict_lines({reinterpret_cast<std::byte*>(to + to_values(a)), n * sizeof(Word)});
  }

  /// Times `work(words, to_values, n)` on adjacent ranges of `bytes`, which together fill the second-level cache, or on
  /// one larger range. Of a range beyond kLargestSet it processes a part, in memory.
  void add_ranges(Rounds& rounds, const char* name, std::vector<double> where, std::size_t bytes,
                  std::uint64_t distinct, const auto& work) const {
    const bool cached = bytes <= kLargestSet;
    const std::size_t n = (cached ? bytes : kFromMemory) / Base::element;
    const std::size_t ranges = std::max<std::size_t>(1, Arena::kCached / (n * Base::element));
    rounds.add(table + name, std::move(where), [*this, cached, n, ranges, distinct, work] {
      const auto make = [&](int thread) {
        Arena& a = arena(thread);
        fill(a, kBefore, distinct, ranges * n * sizeof(Word), true);
        work(kernels, words(a) + ranges * n, to_values(a), kBefore);
        fill(a, ranges * n, distinct, 0, cached);
      };
      const auto run = [&](int thread) {
        Arena& a = arena(thread);
        for (std::size_t r = 0; r < ranges; ++r) work(kernels, words(a) + r * n, to_values(a), n);
      };
      return timed_by_pieces(threads, run, make) / static_cast<double>(ranges * n);
    });
  }

  void add_part(Rounds& rounds, std::size_t bytes, double repeats, std::uint64_t distinct) const {
    add_ranges(rounds, "part", at(repeats, bytes), bytes, distinct,
               [](const auto& by, Word* words, std::ptrdiff_t to_values, std::size_t n) {
                 keep(by.part(words, to_values, n).below);
               });
  }
  void add_network(Rounds& rounds, std::size_t n) const {
    add_ranges(rounds, "network", at(n), Arena::kCached / 4, 0,
               [n](const auto& by, Word* words, std::ptrdiff_t to_values, std::size_t all) {
                 for (std::size_t i = 0; i < all; i += n) {
                   const auto end = static_cast<std::uint32_t>(n);
                   by.sort_runs(words + i, to_values, &end, 1);
                 }
               });
  }

  /// Sorts one bucket, which lies in cache in one piece.
  void add_bucket(Rounds& rounds, std::size_t n) const {
    using Cached = msd::CachedSorter<Word, Base::values>;
    rounds.add(table + "bucket", at(n), [*this, n] {
      std::vector<std::unique_ptr<Cached>> cached(static_cast<std::size_t>(threads));
      const auto make = [&](int thread) {
        Arena& a = arena(thread);
        auto& mine = cached[static_cast<std::size_t>(thread)];
        mine = std::make_unique<Cached>(n, kernels, PageKind::huge);
        fill(a, n, 0, 0, true);
        sort(a, n, *mine);  // its memory is in the cache, too
      };
      const auto run = [&](int thread) { sort(arena(thread), n, *cached[static_cast<std::size_t>(thread)]); };
      return timed_by_pieces(threads, run, make) / static_cast<double>(n);
    });
  }
  void sort(Arena& a, std::size_t n, auto& cached) const {
    const msd::Piece<Word> piece{words(a), n};
    cached.sort({&piece, 1}, to_values(a), n, kernels.range(piece.words, n));
  }

  /// Checks equal keys, which are in order. They have just been copied to their place, like the input of a sort.
  void add_sortedness_check(Rounds& rounds, std::size_t bytes) const {
    const bool whole = bytes < bench.arenas[0]->bytes;
    const std::size_t n = (whole ? bytes : kFromMemory) / sizeof(K);
    rounds.add(table + "guard", at(bytes), [*this, n, whole] {
      Arena& a = arena(0);
      const msd::Arrays arrays{a.out_words.data(), a.out_values.data()};
      auto* const spare = a.word_buffers.template data<Word>();
      const auto make = [&](int) {
        std::fill_n(a.out_values.template data<K>(), n, K{1});
        std::copy_n(a.out_values.template data<K>(), n, a.out_words.template data<K>());
        if (!whole) evict_lines({a.out_words.data(), n * sizeof(K)});
      };
      const auto look = [&](int) { keep(msd::make_form<K, V>(keys).repair(arrays, n, {}, spare)); };
      return timed(1, look, make) / static_cast<double>(n);
    });
  }
};

/// Adds the time of checking that equal keys are in order, for keys that are no words; `kind` is an argument of the
/// table that is declared below.
template <class K>
void add_check(Rounds& rounds, HostBench& bench, const std::string& target, int kind) {
  const std::string table = "msd." + target + ".";
  const msd::InOrder& in_order = key_kernels_for(target).of<K>().in_order;
  for (const std::size_t bytes : {Arena::kCached, std::size_t{32} << 20, bench.arenas[0]->bytes}) {
    const bool whole = bytes < bench.arenas[0]->bytes;
    const std::size_t n = (whole ? bytes : kFromMemory) / sizeof(K);
    rounds.add(table + "check", point(kind, sizeof(K), bytes), [=, &bench, &in_order] {
      Arena& a = *bench.arenas[0];
      auto* const keys = a.out_words.template data<K>();
      const auto make = [&](int) {
        std::fill_n(keys, n, K{});
        if (!whole) evict_lines({a.out_words.data(), n * sizeof(K)});
      };
      const auto look = [&](int) { keep(in_order.ascending(keys, n)); };
      return timed(1, look, make) / static_cast<double>(n);
    });
  }
}

/// Merges two ascending runs of random keys in memory through equally large spare memory.
template <class K, class V>
void add_merge(Rounds& rounds, HostBench& bench) {
  constexpr std::size_t value_bytes = std::is_same_v<V, NoValue> ? 0 : sizeof(V);
  for (const std::size_t bytes : {Arena::kCached, std::size_t{4} << 20, std::size_t{32} << 20}) {
    if (2 * bytes > bench.arenas[0]->bytes) continue;
    const std::size_t n = bytes / std::max(sizeof(K), value_bytes);
    rounds.add("msd.merge", point(sizeof(K), value_bytes, n * sizeof(K)), [n, &bench] {
      Arena& a = *bench.arenas[0];
      auto* const keys = a.out_words.template data<K>();
      auto* const values = a.out_values.template data<V>();
      msd::Runs<K, V> runs{key_kernels_for(msd::targets().widest()).of<K>(), keys, values, n};
      const auto make = [&](int) {
        fill_rising<K>({keys, n}, n / 2, 1);
        if constexpr (value_bytes > 0) std::fill_n(values, n, V{1});
        runs.find(2);
      };
      const auto merge = [&](int) { runs.merge(keys + n, values + (value_bytes > 0 ? n : 0)); };
      return timed(1, merge, make) / static_cast<double>(n);
    });
  }
}

template <class K, class V>
void add_pieces(Rounds& rounds, HostBench& bench, int threads, const std::string& target) {
  const Pieces<K, V> pieces{{bench, threads, target}};
  using P = Pieces<K, V>;
  const std::size_t beyond = bench.arenas[0]->bytes;
  if (threads == 1) {
    for (const std::size_t mib : {1, 4, 32}) pieces.add_sortedness_check(rounds, mib << 20);
    for (const std::size_t bytes : {Arena::kCached, beyond}) pieces.add_sortedness_check(rounds, bytes);
  }
  if constexpr (msd::kJoined<K, V>) return;  // the same as words without values
  for (const std::size_t bytes : {std::size_t{1536}, std::size_t{4} << 10, std::size_t{32} << 10, Arena::kCached,
                                  std::size_t{2} << 20, kLargestSet, beyond}) {
    pieces.add_part(rounds, bytes, 0, 0);
    pieces.add_part(rounds, bytes, 1, 8);
    if (bytes >= Arena::kCached) pieces.add_part(rounds, bytes, 2, 2);
  }
  for (std::size_t n = pieces.kernels.small; n >= 8; n /= 2) pieces.add_network(rounds, n);
  if constexpr (sizeof(typename P::Word) == 8) {
    for (const std::size_t bytes : {std::size_t{64} << 10, Arena::kCached, 2 * msd_bucket_bytes()}) {
      pieces.add_bucket(rounds, bytes / P::element);
    }
  }
}

}  // namespace

std::vector<std::string> msd_targets(bool quick) {
  std::vector<std::string> targets;
  for (const std::string& target : msd::targets().words()) {
    if (msd::targets().runs_here(target) && (!quick || targets.empty())) targets.push_back(target);
  }
  return targets;
}

std::vector<int> msd_teams(const HostBench& bench) {
  const std::vector<int>& all = bench.threads;
  if (all.size() <= 3) return all;
  return {all.front(), all[all.size() / 2], all.back()};
}

std::size_t msd_bucket_bytes() {
  const auto kib = algorithm_named("msd_radix_cpu").automatic("bucket_kib", {}, {});
  return static_cast<std::size_t>(std::get<std::int64_t>(kib.value())) << 10;
}

namespace {

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("msd.merge", "s/element",
                 "MB11: msd_radix_cpu merges two runs of 'bytes' of keys in all, on one thread, through spare memory",
                 {"key", "value", "bytes"});
  add_merge<std::uint32_t, NoValue>(rounds, bench);
  add_merge<std::uint64_t, NoValue>(rounds, bench);
  add_merge<std::uint32_t, std::uint32_t>(rounds, bench);
  add_merge<std::uint64_t, std::uint64_t>(rounds, bench);
  for (const std::string& target : msd_targets(bench.quick)) {
    const std::string table = "msd." + target + ".";
    rounds.declare(
        table + "part", "s/element",
        "MB11: msd_radix_cpu partitions words of 'bytes', with their values, by a pivot: random ones, 8 or 2 different",
        {"threads", "key", "value", "repeats", "bytes"});
    rounds.declare(table + "network", "s/element", "MB11: msd_radix_cpu sorts so many random words in registers",
                   {"threads", "key", "value", "elements"});
    rounds.declare(table + "bucket", "s/element",
                   "MB11: msd_radix_cpu sorts a bucket of so many random elements, which lie in cache",
                   {"threads", "key", "value", "elements"});
    rounds.declare(table + "guard", "s/element",
                   "MB11: msd_radix_cpu checks the order of 'bytes' of sorted keys, on one thread",
                   {"threads", "key", "value", "bytes"});
    rounds.declare(table + "check", "s/element",
                   "MB11: the same of integers (0), floats (1) and pairs (2) that are no words",
                   {"kind", "key", "bytes"});
    add_check<std::int32_t>(rounds, bench, target, 0);
    add_check<std::int64_t>(rounds, bench, target, 0);
    add_check<float>(rounds, bench, target, 1);
    add_check<double>(rounds, bench, target, 1);
    add_check<Pair<std::uint32_t, std::uint32_t>>(rounds, bench, target, 2);
    for_words_and_threads(msd_teams(bench),
                          [&]<class K, class V>(int threads) { add_pieces<K, V>(rounds, bench, threads, target); });
  }
}

const RegisterProbe registered{HostProbe{"msd_radix_cpu", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

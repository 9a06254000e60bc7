// Micro-benchmark MB11, pieces of aa_sort, timed with the sort's own kernels: sorting a block in cache, and merging
// runs that lie in cache or in memory.
#include <set>

#include "algorithms/aa_sort/comb_passes.hpp"
#include "algorithms/aa_sort/kernels.hpp"
#include "algorithms/host_probe.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kRun = std::size_t{1} << 20;          ///< bytes of the longest runs that are merged
constexpr std::size_t kLargestSet = std::size_t{16} << 20;  ///< largest working set in bytes that is processed in full
constexpr std::size_t kFromMemory = std::size_t{4} << 20;   ///< bytes that a sample merges from a larger working set

std::size_t automatic_block() {
  const auto kib = algorithm_named("aa_sort").automatic("block_kib", {}, {});
  return static_cast<std::size_t>(std::get<std::int64_t>(kib.value())) << 10;
}

/// The pieces for one type of key and one width of vectors.
template <class K>
struct Pieces {
  HostBench& bench;
  aa::Kernels kernels;
  std::string table;  ///< "aa.avx2."
  std::size_t lanes;

  Arena& arena(int thread) const { return bench.arena(thread); }

  /// Sorts blocks that together fill the second-level cache, or a larger working set. Their keys are random, or equal:
  /// the first final pass then changes nothing.
  void add_block(Rounds& rounds, std::size_t bytes, bool equal) const {
    const std::size_t n = bytes / sizeof(K);
    const std::size_t blocks = std::max<std::size_t>(1, Arena::kCached / bytes);
    const K* const random = arena(0).words.template data<K>();
    double last = 1;
    if (!equal) {
      int sum = 0;
      for (std::size_t b = 0; b < blocks; ++b) sum += aa::last_passes({random + b * n, random + (b + 1) * n}, lanes);
      last = static_cast<double>(sum) / static_cast<double>(blocks);
    }
    for (const int threads : bench.threads) {
      rounds.add(table + "block", point(threads, sizeof(K), bytes, last), [*this, random, n, blocks, equal, threads] {
        const auto fill = [&](int thread) {
          K* const keys = arena(thread).out_words.template data<K>();
          equal ? std::fill_n(keys, blocks * n, K{1}) : std::copy_n(random, blocks * n, keys);
          write_stream<Store::ordinary>({arena(thread).word_buffers.data(), n * sizeof(K)});
        };
        const auto sort = [&](int thread) {
          K* const keys = arena(thread).out_words.template data<K>();
          void* const vectors = arena(thread).word_buffers.data();
          for (std::size_t b = 0; b < blocks; ++b) {
            kernels.sort_block(keys + b * n, n, vectors, keys + b * n);
          }
        };
        return timed(threads, sort, fill) / static_cast<double>(blocks * n);
      });
    }
  }

  /// Merges pairs of runs, which together with their output take `bytes` per thread. `mixed`: their keys interleave;
  /// otherwise all keys of one run precede those of the other.
  void add_merge(Rounds& rounds, int threads, std::size_t bytes, bool mixed) const {
    const bool cached = bytes <= kLargestSet;
    const std::size_t pair = std::min({bytes / 2, kFromMemory, 2 * kRun});
    const std::size_t pairs = (cached ? bytes / 2 : kFromMemory) / pair;
    const std::size_t run = pair / sizeof(K) / 2;
    rounds.add(table + "merge", point(threads, sizeof(K), mixed, bytes),
               [*this, threads, cached, pair, pairs, run, mixed] {
                 std::vector<std::size_t> places(static_cast<std::size_t>(threads));  // in both streams, in bytes
                 const auto merge = [&](int thread) {
                   Arena& a = arena(thread);
                   const std::size_t place = places[static_cast<std::size_t>(thread)] / sizeof(K);
                   const K* const from = a.out_words.template data<K>() + place;
                   K* const to = a.out_values.template data<K>() + place;
                   for (std::size_t k = 0; k < 2 * run * pairs; k += 2 * run) {
                     kernels.merge(from + k, run, from + k + run, run, to + k);
                   }
                 };
                 const auto fill = [&](int thread) {
                   Arena& a = arena(thread);
                   std::byte* const from = a.out_words.data();
                   const auto place = cached ? 0 : a.next_bytes(a.out_words, pairs * pair).data() - from;
                   places[static_cast<std::size_t>(thread)] = static_cast<std::size_t>(place);
                   std::byte* const runs = a.word_buffers.data();
                   fill_rising<K>({a.word_buffers.template data<K>(), 2 * run}, mixed ? run : 2 * run, ++a.touches);
                   for (std::size_t p = 0; p < pairs; ++p) {
                     if (cached) {
                       copy_lines<Store::ordinary>(from + place + p * pair, runs, pair);
                     } else {
                       copy_lines<Store::nontemporal>(from + place + p * pair, runs, pair);
                     }
                   }
                   finish_streaming();
                   if (cached) merge(thread);
                 };
                 return timed(threads, merge, fill) / static_cast<double>(2 * run * pairs);
               });
  }
};

template <class K>
void add_pieces(Rounds& rounds, HostBench& bench, const std::string& width, aa::Lane lane) {
  const std::size_t vector = width == "avx512" ? 64 : width == "avx2" ? 32 : 16;
  const Pieces<K> pieces{bench, aa::kernels_for(aa::widths().target_bit(width), lane), "aa." + width + ".",
                         vector / sizeof(K)};
  for (const std::size_t bytes : std::set{std::size_t{16} << 10, std::size_t{128} << 10, automatic_block()}) {
    for (const bool equal : {false, true}) pieces.add_block(rounds, bytes, equal);
  }
  for (const int threads : bench.threads) {
    for (const std::size_t bytes : {Arena::kCached, std::size_t{4} << 20, kLargestSet, bench.arenas[0]->bytes}) {
      for (const bool mixed : {false, true}) pieces.add_merge(rounds, threads, bytes, mixed);
    }
  }
}

void add_probes(Rounds& rounds, HostBench& bench) {
  const std::string widest = aa::widths().widest();
  for (const std::string& width : aa::widths().words()) {
    const bool usual = width == widest || width == "sse4";  // choices of auto and of preset paper
    if (!aa::widths().runs_here(width) || (bench.quick && !usual)) continue;
    const std::string table = "aa." + width + ".";
    rounds.declare(table + "block", "s/element",
                   "MB11: aa_sort sorts a block in cache whose keys take so many last passes of comb sort",
                   {"threads", "key", "block_bytes", "last_passes"});
    rounds.declare(table + "merge", "s/element",
                   "MB11: aa_sort merges pairs of runs that are mixed or not, from and to 'bytes' a thread",
                   {"threads", "key", "mixed", "bytes"});
    add_pieces<std::uint32_t>(rounds, bench, width, aa::Lane::u32);
    add_pieces<std::uint64_t>(rounds, bench, width, aa::Lane::u64);
  }
}

const RegisterProbe registered{HostProbe{"aa_sort", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

// Micro-benchmark MB11, pieces of satish_cpu_merge, timed with the sort's own kernels: sorting tiles in registers, one
// pass over the runs of a block in cache, and the FIFO tree from runs to output.
#include "algorithms/host_probe.hpp"
#include "algorithms/plugin.hpp"
#include "algorithms/satish_cpu_merge/fifo_tree.hpp"
#include "algorithms/satish_cpu_merge/form.hpp"
#include "algorithms/satish_cpu_merge/scalar_kernels.hpp"

namespace sortlab::calibration {
namespace {

using namespace satish_merge;

constexpr int kTimes = 4;                              ///< repetitions in cache
constexpr std::size_t kMerged = std::size_t{1} << 20;  ///< bytes that a tree outputs in a sample

/// The sort's automatic size on this machine, in bytes, of a block or of a thread's FIFOs.
std::size_t automatic_bytes(const char* parameter) {
  const auto kib = algorithm_named("satish_cpu_merge").automatic(parameter, {}, {});
  return static_cast<std::size_t>(std::get<std::int64_t>(kib.value())) << 10;
}

/// The pieces for one element type and one register width.
template <class K, class V>
struct Pieces : HostPieces<K, V> {
  using HostPieces<K, V>::arena, HostPieces<K, V>::at, HostPieces<K, V>::bench, HostPieces<K, V>::threads;
  using F = Form<K, V>;
  using Lane = typename F::Lane;
  static constexpr std::size_t element = sizeof(Lane) * (F::pairs ? 2 : 1);

  const Kernels<Lane>& kernels;
  std::string table;  ///< "merge.avx2."

  /// Offset between a block and its second buffer, as in the sort. Values lie elsewhere.
  static constexpr std::ptrdiff_t kSkew = std::ptrdiff_t{9} * 64 / sizeof(Lane);
  static constexpr std::ptrdiff_t kValues = F::pairs ? (std::ptrdiff_t{16} << 20) / sizeof(Lane) + 4 * kSkew : 0;

  void add_tiles(Rounds& rounds, std::size_t block_bytes) const {
    const std::size_t count = block_bytes / element / kernels.tile * kernels.tile;
    rounds.add(table + "tiles", at(), [*this, count] {
      const auto sort = [&](int thread) {
        for (int i = 0; i < kTimes; ++i) {
          kernels.sort_tiles(arena(thread).word_buffers.template data<Lane>(), count, kValues);
        }
      };
      return timed_by_pieces(threads, sort, sort) /
             static_cast<double>(kTimes * count);  // no branch depends on the keys, so sorted ones serve
    });
  }

  /// A pass over the runs of a block. The last pass merges two runs, and overlaps with no other merge.
  void add_runs(Rounds& rounds, const char* name, std::size_t block_bytes, std::size_t run) const {
    const std::size_t count = std::bit_floor(block_bytes / element);
    const double bytes = static_cast<double>(count * element);
    const bool last = 2 * run == count;
    rounds.add(table + name, last ? at(bytes) : at(bytes, run * element), [*this, count, run] {
      const auto merge = [&](int thread) {
        auto* const home = arena(thread).word_buffers.template data<Lane>();
        for (int i = 0; i < kTimes; ++i) kernels.merge_runs(home, home + count + kSkew, run, count, kValues);
      };
      const auto fill = [&](int thread) {
        auto* const home = arena(thread).word_buffers.template data<Lane>();
        fill_rising<Lane>({home, count}, run, ++arena(thread).touches);
        merge(thread);
      };
      return timed_by_pieces(threads, merge, fill) / static_cast<double>(kTimes * count);
    });
  }

  /// One thread's tree with filled FIFOs. Its memory precedes the runs; values are in another stream.
  struct Tree {
    Tree(const Pieces& pieces, Arena& arena, std::size_t runs, std::size_t merged, bool cached)
        : shape(runs, automatic_bytes("fifo_kib") / element, pieces.kernels.step),
          memory(arena.out_words.data<Lane>()),
          values(F::pairs ? arena.out_values.data<Lane>() - memory : 0),
          tree(shape, pieces.kernels, memory, F::pairs, values) {
      Lane* const first = memory + (shape.lanes() / 16 + 1) * 16;
      const std::size_t room = arena.bytes / sizeof(Lane) - static_cast<std::size_t>(first - memory);
      const std::size_t length = ((merged / element + shape.fifos) * 3 / 2 / runs / 16 + 16) * 16;
      const std::size_t apart = cached ? length : std::max(length, room / runs / 16 * 16);
      std::vector<Run<Lane>> all;
      std::vector<Lane> rising(length);
      for (std::size_t i = 0; i < runs; ++i) {
        fill_rising<Lane>(rising, length, ++arena.touches);
        Lane* const run = first + i * apart;
        copy_to(run, rising, cached);
        if constexpr (F::pairs) copy_to(run + values, rising, cached);
        all.push_back({run, length});
      }
      finish_streaming();
      tree.start(all);
      for (std::size_t taken = 0; taken < shape.fifos;) taken += tree.next().size;
    }

    static void copy_to(Lane* to, const std::vector<Lane>& lanes, bool cached) {
      const auto* const from = reinterpret_cast<const std::byte*>(lanes.data());
      auto* const bytes = reinterpret_cast<std::byte*>(to);
      if (cached) {
        copy_lines<Store::ordinary>(bytes, from, lanes.size() * sizeof(Lane));
      } else {
        copy_lines<Store::nontemporal>(bytes, from, lanes.size() * sizeof(Lane));
      }
    }

    TreeShape shape;
    Lane* memory;
    std::ptrdiff_t values;
    FifoTree<Lane> tree;
  };

  /// Merges runs of `bytes` in total, in cache, or in memory as far apart as the arena allows.
  void add_tree(Rounds& rounds, int levels, std::size_t bytes) const {
    rounds.add(table + "tree", at(levels, bytes), [*this, levels, bytes] {
      const bool cached = bytes <= kMerged;
      const std::size_t merged = std::min(bytes, kMerged);
      std::vector<std::unique_ptr<Tree>> trees(static_cast<std::size_t>(threads));
      const std::size_t count = merged / element;
      const auto make = [&](int thread) {
        if (cached) {  // a small sort's output overwrites its input
          write_stream<Store::ordinary>({arena(thread).word_buffers.data(), merged});
          write_stream<Store::ordinary>({arena(thread).value_buffers.data(), merged});
        }
        trees[static_cast<std::size_t>(thread)] =
            std::make_unique<Tree>(*this, arena(thread), std::size_t{1} << levels, merged, cached);
      };
      const auto merge = [&](int thread) {
        Tree& tree = *trees[static_cast<std::size_t>(thread)];
        const std::size_t part = cached ? 0 : arena(thread).touches % 16 * kMerged;
        K* keys = arena(thread).word_buffers.template data<K>() + part / sizeof(K);
        V* mapped = arena(thread).value_buffers.template data<V>() + part / sizeof(V);
        for (std::size_t done = 0; done < count;) {
          const Run<Lane> some = tree.tree.next();
          F::leave(some.begin, tree.values, some.size, keys + done, F::has_values ? mapped + done : nullptr);
          done += some.size;
        }
      };
      return timed(threads, merge, make) / static_cast<double>(count);
    });
  }
};

template <class K, class V>
void add_pieces(Rounds& rounds, HostBench& bench, int threads, const std::string& width) {
  using Lane = typename Form<K, V>::Lane;
  const Kernels<Lane>* kernels = simd_kernels<Lane>(widths().target_bit(width), Form<K, V>::pairs);
  if (kernels == nullptr) kernels = &ScalarKernels<Lane, Form<K, V>::pairs>::table();
  const Pieces<K, V> pieces{{bench, threads}, *kernels, "merge." + width + "."};
  constexpr std::size_t papers = std::size_t{128} << 10;
  const std::size_t block = automatic_bytes("block_kib");
  pieces.add_tiles(rounds, block);
  for (const std::size_t bytes : {papers, block}) {
    const std::size_t longest = std::bit_floor(bytes / Pieces<K, V>::element) / 2;
    for (const std::size_t run : {kernels->run, 4 * kernels->run, longest / 2}) {
      pieces.add_runs(rounds, "runs", bytes, run);
    }
    pieces.add_runs(rounds, "last", bytes, longest);
    if (block == papers) break;
  }
  for (const int levels : {1, 4, 7, 10}) {
    if (levels <= 4) pieces.add_tree(rounds, levels, kMerged / 4);  // few blocks have few bytes
    for (const std::size_t bytes : {kMerged, bench.arenas[0]->bytes}) pieces.add_tree(rounds, levels, bytes);
  }
}

void add_probes(Rounds& rounds, HostBench& bench) {
  const std::string widest = widths().widest();
  for (const std::string& width : widths().words()) {
    const bool usual = width == widest || width == "sse4";  // choices of auto and of preset paper
    if (!widths().runs_here(width) || (bench.quick && !usual)) continue;
    const std::string table = "merge." + width + ".";
    rounds.declare(table + "tiles", "s/element", "MB11: satish_cpu_merge sorts tiles of a block in cache",
                   {"threads", "key", "value"});
    rounds.declare(table + "runs", "s/element",
                   "MB11: satish_cpu_merge merges the runs of a block in cache in pairs of 'run_bytes' each",
                   {"threads", "key", "value", "block_bytes", "run_bytes"});
    rounds.declare(table + "last", "s/element", "MB11: satish_cpu_merge merges the two halves of a block in cache",
                   {"threads", "key", "value", "block_bytes"});
    rounds.declare(table + "tree", "s/element",
                   "MB11: satish_cpu_merge merges 2^levels runs through its tree; together of 'bytes' a thread",
                   {"threads", "key", "value", "levels", "bytes"});
    for_words_and_threads(bench.threads,
                          [&]<class K, class V>(int threads) { add_pieces<K, V>(rounds, bench, threads, width); });
  }
}

const RegisterProbe registered{HostProbe{"satish_cpu_merge", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

// Micro-benchmarks MB3 and MB11: writes to random lines, and simple loops that sorts have in common.
#include "algorithms/host_probe.hpp"
#include "harness/calibrate/host/kernels.hpp"

namespace sortlab::calibration {
namespace {

void add_probes(Rounds& rounds, HostBench& bench) {
  const std::size_t all = bench.arenas[0]->bytes;
  sweep(
      rounds,
      {"part", "s",
       "MB11: copying a part, of random length, of a buffer of 'lines' to a random place in 'bytes' of output"},
      [&bench](int lines, std::size_t bytes) {
        Arena& arena = *bench.arenas[0];
        const std::size_t slots = static_cast<std::size_t>(lines) * kLine / sizeof(std::uint32_t);
        const std::span<const std::uint16_t> order{arena.order.data(), std::size_t{1} << 12};
        const double seconds = timed(1, [&](int) {
          copy_parts({arena.out_words.data<std::uint32_t>(), bytes / 4}, arena.word_buffers.data<std::uint32_t>(),
                     slots, order);
        });
        return seconds / static_cast<double>(order.size());
      },
      Axis{"lines", bench.lines}, Axis<std::size_t>{"bytes", {1 << 18, 1 << 22, all}});

  sweep(
      rounds, {"touch", "s", "MB3: writing to a random line of 'bytes' of memory, many in flight; per thread"},
      [&bench](int threads, std::size_t bytes) {
        constexpr std::size_t count = std::size_t{1} << 14;
        const auto touch = [&](int thread) {
          Arena& arena = bench.arena(thread);
          touch_lines({arena.out_values.data(), bytes}, count, ++arena.touches);
        };
        return timed(threads, touch, touch) / static_cast<double>(count);
      },
      bench.all_threads(), Axis<std::size_t>{"bytes", {1 << 14, 1 << 16, 1 << 18, 1 << 22, all}});

  rounds.declare("map", "s/element", "MB11: the order-preserving map of floats of 'key' bytes", {"key"});
  const auto add_map = [&]<class Word>() {
    rounds.add("map", {static_cast<double>(sizeof(Word))}, [&bench] {
      const auto words = std::span{bench.arenas[0]->words.data<const Word>(), Arena::kCached / sizeof(Word)};
      return timed(1,
                   [&](int) {
                     for (int i = 0; i < 4; ++i) map_floats<Word>(words);
                   }) /
             (4.0 * static_cast<double>(words.size()));
    });
  };
  add_map.template operator()<std::uint32_t>();
  add_map.template operator()<std::uint64_t>();

  rounds.declare("prefix", "s/element", "MB11: the running sum of counters in cache", {});
  rounds.add("prefix", {}, [] {
    std::vector<std::uint64_t> counters(2048, 1);
    constexpr int times = 64;
    const double seconds = timed(1, [&](int) {
      for (int i = 0; i < times; ++i) prefix_sums(counters);
    });
    return seconds / (times * static_cast<double>(counters.size()));
  });
}

const RegisterProbe registered{HostProbe{"loops", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

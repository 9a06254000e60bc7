#include <numeric>
#include <utility>

#include "algorithms/host_probe.hpp"
#include "harness/calibrate/host/kernels.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

/// Bytes per second of `work(arena, bytes)`, repeated over a working set of `bytes` per thread until `total` bytes are
/// done.
template <class Work>
double rate(HostBench& bench, int threads, std::size_t bytes, std::size_t total, const Work& work) {
  const std::size_t times = std::max<std::size_t>(1, total / bytes);
  const double seconds = timed(threads, [&](int thread) {
    Arena& arena = bench.arena(thread);
    for (std::size_t i = 0; i < times; ++i) work(arena, bytes);
  });
  return static_cast<double>(static_cast<std::size_t>(threads) * times * bytes) / seconds;
}

std::span<std::byte> out(Arena& arena, std::size_t bytes) {
  return {arena.out_words.data(), bytes};
}
std::span<const std::byte> in(Arena& arena, std::size_t bytes) {
  return {arena.words.data(), bytes};
}

/// Links all lines of `bytes` into one random cycle (Sattolo): each line holds its successor.
void tie_cycle(std::uint64_t* words, std::size_t bytes, std::span<const std::uint16_t> random) {
  constexpr std::size_t step = kLine / sizeof(std::uint64_t);
  const std::size_t lines = bytes / kLine;
  std::vector<std::uint32_t> order(lines);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = lines - 1; i > 0; --i) {
    const std::size_t draw = std::size_t{random[i % random.size()]} << 16 | random[(i * 7 + 3) % random.size()];
    std::swap(order[i], order[draw % i]);
  }
  for (std::size_t i = 0; i < lines; ++i) words[order[i] * step] = order[(i + 1) % lines] * step;
}

void add_latency(Rounds& rounds, HostBench& bench, const std::string& table, PageKind pages) {
  rounds.declare(table, "s", "MB3: a chain of dependent loads, one a line", {"bytes"});
  for (const std::size_t bytes : {16 * KiB, 256 * KiB, 4 * MiB, 32 * MiB}) {
    auto cycle = std::make_shared<Pages>(bytes, pages);
    tie_cycle(cycle->data<std::uint64_t>(), bytes, bench.arenas[0]->order);
    constexpr std::size_t steps = std::size_t{1} << 14;
    rounds.add(table, point(bytes),
               [cycle] { return timed(1, [&](int) { chase(cycle->data<std::uint64_t>(), steps); }) / steps; });
  }
}

/// Times loads of lines from another core's cache.
void add_transfer(Rounds& rounds, const Arena& arena) {
  rounds.declare("transfer", "s", "MB3: a chain of dependent loads, one a line, which another thread has just written",
                 {});
  constexpr std::size_t bytes = 64 * KiB;
  auto cycle = std::make_shared<Pages>(bytes, PageKind::huge);
  tie_cycle(cycle->data<std::uint64_t>(), bytes, arena.order);
  rounds.add("transfer", {}, [cycle] {
    constexpr std::size_t steps = bytes / kLine;
    const auto load = [&](int thread) {
      if (thread == 0) chase(cycle->data<std::uint64_t>(), steps);
    };
    const auto write = [&](int thread) {
      if (thread == 1) rewrite_lines({cycle->data(), bytes});
    };
    return timed(2, load, write) / steps;
  });
}

/// The extra time of rewriting lines from another core's cache instead of this core's, for as many lines as a cache
/// holds.
void add_handover(Rounds& rounds, HostBench& bench) {
  sweep(
      rounds,
      {"handover", "s", "MB3: extra time of rewriting 'bytes' that another thread has written instead of this one"},
      [&bench](std::size_t bytes) {
        const auto after = [&](int writer) {
          const auto rewrite = [&](int thread, int by) {
            if (thread == by) rewrite_lines({bench.arenas[0]->out_words.data(), bytes});
          };
          return timed(
              2, [&](int thread) { rewrite(thread, 0); }, [&](int thread) { rewrite(thread, writer); });
        };
        return after(1) - after(0);
      },
      Axis<std::size_t>{"bytes", {64 * KiB, 256 * KiB, 1 * MiB, 4 * MiB}});
}

void add_probes(Rounds& rounds, HostBench& bench) {
  const Axis<std::size_t> sizes{"bytes", {16 * KiB, 256 * KiB, 4 * MiB, 16 * MiB, bench.arenas[0]->bytes}};
  const auto add = [&](const char* table, const char* source, const auto& work) {
    sweep(
        rounds, {table, "B/s", source},
        [&bench, work](int threads, std::size_t bytes) {
          return rate(bench, threads, bytes, std::max(bytes, 8 * MiB), work);
        },
        bench.all_threads(), sizes);
  };
  const char* const source = "MB1: working set of each thread; a copy counts bytes read and written";
  add("read", source, [](Arena& arena, std::size_t b) { read_stream(in(arena, b)); });
  add("read_ahead", "MB1: reading, with lines prefetched by instructions",
      [](Arena& arena, std::size_t b) { read_stream<true>(in(arena, b)); });
  add("rewrite", "MB1: reading and writing in place, likewise; bytes rewritten",
      [](Arena& arena, std::size_t b) { rewrite_stream(out(arena, b)); });
  add("write", source, [](Arena& arena, std::size_t b) { write_stream<Store::ordinary>(out(arena, b)); });
  add("write_nt", source, [](Arena& arena, std::size_t b) { write_stream<Store::nontemporal>(out(arena, b)); });
  // Half of the working set is read, the other half written.
  add("copy", source,
      [](Arena& arena, std::size_t b) { copy_stream<Store::ordinary>(out(arena, b / 2), in(arena, b / 2)); });
  add("copy_nt", source,
      [](Arena& arena, std::size_t b) { copy_stream<Store::nontemporal>(out(arena, b / 2), in(arena, b / 2)); });

  sweep(
      rounds,
      {"copy_runs", "B/s", "MB2: runs to 2^digit_bits places in random order, non-temporal; bytes read and written"},
      [&bench](int threads, int bits, std::size_t run) {
        constexpr std::size_t bytes = 8 * MiB;
        const double seconds = timed(threads, [&](int thread) {
          Arena& arena = bench.arena(thread);
          std::vector<std::uint32_t> cursors(std::size_t{1} << bits);
          copy_runs<Store::nontemporal>(out(arena, arena.bytes), arena.next_bytes(arena.words, bytes), run, bits,
                                        arena.order, cursors);
        });
        return 2.0 * static_cast<double>(bytes) * threads / seconds;
      },
      bench.all_threads(), Axis<int>{"digit_bits", {6, 8, 11}}, Axis<std::size_t>{"bytes", {64, 256, 1024}});

  add_latency(rounds, bench, "latency", PageKind::huge);
  add_latency(rounds, bench, "latency_small_pages", PageKind::small);
  if (bench.arenas.size() > 1) {
    add_transfer(rounds, *bench.arenas[0]);
    add_handover(rounds, bench);
  }
}

const RegisterProbe registered{HostProbe{"streams", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

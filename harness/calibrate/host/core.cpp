// Micro-benchmarks MB11 and MB12 without sorting code: the cost of a mispredicted branch, the cost of a load just after
// a store to the same word, and the overlap of arithmetic with memory.
#include <map>

#include "algorithms/common/host/overlap_exponent.hpp"
#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {
namespace {

// Callers must not be compiled together with what they time.
#if defined(__clang__)
#define SORTLAB_NOIPA gnu::noinline, gnu::used
#else
#define SORTLAB_NOIPA gnu::noipa
#endif

/// A round of arithmetic in registers: three instructions on each of four independent chains.
[[gnu::always_inline]] inline void mix(std::array<std::uint64_t, 4>& chains, std::uint64_t number) {
  for (std::uint64_t& x : chains) {
    x = (x ^ (x >> 7)) + number;
    asm("" : "+r"(x));  // prevents vectorisation and prediction
  }
}

/// Branches on bit `bit` of each number. No compiler turns the branch into a conditional move.
[[SORTLAB_NOIPA]] void follow(std::span<const std::uint16_t> numbers, std::uint32_t bit) {
  for (const std::uint16_t number : numbers) {
    if ((number & bit) != 0) asm volatile("nop");
    asm volatile("");
  }
}

/// Adds to the words at `places`. Equal places form a chain through the store buffer.
[[SORTLAB_NOIPA]] void add_at(std::span<std::uint32_t> words, std::span<const std::uint16_t> places,
                              std::uint16_t mask) {
  for (const std::uint16_t place : places) ++words[place & mask];
  keep(words.data());
}

/// Stores to different cached lines in turn.
[[SORTLAB_NOIPA]] void store_in_turn(std::span<std::uint32_t> words, std::size_t times) {
  constexpr std::size_t line = kLine / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < times; ++i) {
    for (std::size_t j = 0; j < 8; ++j) *static_cast<volatile std::uint32_t*>(&words[j * line]) = 1;
  }
}

/// Stores registers of `register_bytes` repeatedly to the same cached memory, each `step` bytes after the last.
template <std::size_t register_bytes>
[[gnu::always_inline]] inline void store_registers(std::byte* to, std::size_t step, std::size_t count) {
  using Register [[gnu::vector_size(register_bytes), gnu::aligned(4), gnu::may_alias]] = std::uint32_t;
  for (std::size_t i = 0; i < count; i += 64) {
    std::byte* at = to;
    for (std::size_t j = 0; j < 64; j += 4, at += 4 * step) {  // address arithmetic alone takes one step per cycle
      *reinterpret_cast<volatile Register*>(at) = Register{};
      *reinterpret_cast<volatile Register*>(at + step) = Register{};
      *reinterpret_cast<volatile Register*>(at + 2 * step) = Register{};
      *reinterpret_cast<volatile Register*>(at + 3 * step) = Register{};
    }
  }
}
[[SORTLAB_NOIPA]] void store_16(std::byte* to, std::size_t step, std::size_t count) {
  store_registers<16>(to, step, count);
}
#if defined(__x86_64__)
[[SORTLAB_NOIPA, gnu::target("avx2")]] void store_32(std::byte* to, std::size_t step, std::size_t count) {
  store_registers<32>(to, step, count);
}
[[SORTLAB_NOIPA, gnu::target("avx512f")]] void store_64(std::byte* to, std::size_t step, std::size_t count) {
  store_registers<64>(to, step, count);
}
#endif

#if defined(__x86_64__)
/// Compresses registers of 512 bits, four independent ones at a time.
template <int lane_bytes>
[[SORTLAB_NOIPA, gnu::target("avx512f")]] void compress_registers(std::size_t count) {
  if constexpr (lane_bytes == 4) {
    for (std::size_t i = 0; i < count; i += 4) {
      asm volatile(
          "vpcompressd %%zmm0, %%zmm1%{%%k1%}%{z%}\n\tvpcompressd %%zmm0, %%zmm2%{%%k1%}%{z%}\n\t"
          "vpcompressd %%zmm0, %%zmm3%{%%k1%}%{z%}\n\tvpcompressd %%zmm0, %%zmm4%{%%k1%}%{z%}" ::
              : "xmm1", "xmm2", "xmm3", "xmm4");
    }
  } else {
    for (std::size_t i = 0; i < count; i += 4) {
      asm volatile(
          "vpcompressq %%zmm0, %%zmm1%{%%k1%}%{z%}\n\tvpcompressq %%zmm0, %%zmm2%{%%k1%}%{z%}\n\t"
          "vpcompressq %%zmm0, %%zmm3%{%%k1%}%{z%}\n\tvpcompressq %%zmm0, %%zmm4%{%%k1%}%{z%}" ::
              : "xmm1", "xmm2", "xmm3", "xmm4");
    }
  }
}
#endif

/// Stores a word to one of 256 lines, then copies the line to that line's output.
template <Store store>
[[SORTLAB_NOIPA]] void lines_out(std::span<std::byte> to, std::span<std::byte> lines,
                                 std::span<const std::uint16_t> order) {
  constexpr std::size_t places = 256;
  std::array<std::size_t, places> written{};
  const std::size_t part = to.size() / places;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t place = order[i] % places;
    std::byte* const line = lines.data() + place * kLine;
    reinterpret_cast<std::uint32_t*>(line)[i % 16] = order[i];
    copy_lines<store>(to.data() + place * part + written[place], line, kLine);
    written[place] = (written[place] + kLine) % part;
  }
  finish_streaming();
}

/// For each line: `rounds` rounds of arithmetic in registers, and the work of `memory` on the line.
template <class Memory>
[[SORTLAB_NOIPA]] void with_arithmetic(std::size_t bytes, int rounds, const Memory& memory) {
  std::array<std::uint64_t, 4> chains{1, 2, 3, 4};
  for (std::size_t i = 0; i < bytes; i += kLine) {
    memory(i);
    for (int round = 0; round < rounds; ++round) mix(chains, i);
  }
  for (const std::uint64_t x : chains) keep(x);
}

/// Exponent of the overlap of arithmetic with reading memory, or with copying it.
double overlap(const HostBench& bench, int threads, bool copies) {
  constexpr std::size_t bytes = std::size_t{8} << 20;
  // Chosen so that arithmetic and memory take about equally long on cores that copy a line in 30 to 60 cycles.
  const int arithmetic = copies ? 10 : 4;
  const auto work = [&](int times, bool moves) {
    return timed(threads, [&](int thread) {
      Arena& arena = bench.arena(thread);
      const std::byte* const from = arena.next_bytes(arena.words, bytes).data();
      std::byte* const to = arena.out_words.data() + (from - arena.words.data());
      if (!moves) {
        with_arithmetic(bytes, times, [](std::size_t) {});
      } else if (copies) {
        with_arithmetic(bytes, times, [&](std::size_t i) { copy_lines<Store::nontemporal>(to + i, from + i, kLine); });
      } else {
        std::uint64_t sum = 0;
        with_arithmetic(bytes, times, [&](std::size_t i) { sum ^= *reinterpret_cast<const std::uint64_t*>(from + i); });
        keep(sum);
      }
      finish_streaming();
    });
  };
  const double alone = work(arithmetic, false);
  const double memory = work(0, true);
  return overlap_exponent(alone, memory, work(arithmetic, true));
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("branch_miss", "s", "MB11: extra time of a branch of random outcome, per misprediction", {});
  rounds.add("branch_miss", {}, [&bench] {
    const Arena& arena = *bench.arenas[0];
    const auto follows = [&](std::uint32_t bit) { return timed(1, [&](int) { follow(arena.order, bit); }); };
    const double foreseen = follows(1U << 16);  // never set in a number of 16 bits
    return 2 * (follows(1) - foreseen) / static_cast<double>(arena.order.size());
  });

  sweep(
      rounds,
      {"pace", "1",
       "MB11: how many times as long arithmetic in registers takes when so many threads do the same: the slowest (0), "
       "or all, if idle ones took over from the others (1)"},
      [](int threads, bool by_pieces) {
        const auto compute = [](int) { with_arithmetic(std::size_t{1} << 22, 4, [](std::size_t) {}); };
        const double together = by_pieces ? timed_by_pieces(threads, compute) : timed(threads, compute);
        return together / timed(1, compute);
      },
      bench.all_threads(), Axis<bool>{"by_pieces", {false, true}});

  rounds.declare("store_forward", "s", "MB11: adding to a word that was just added to, at an address that is read", {});
  rounds.add("store_forward", {}, [&bench] {
    Arena& arena = *bench.arenas[0];
    const std::span words{arena.word_buffers.data<std::uint32_t>(), std::size_t{1} << 16};
    return timed(1, [&](int) { add_at(words, arena.order, 0); }) / static_cast<double>(arena.order.size());
  });

  rounds.declare("store_commit", "s", "MB11: a store to another line than the last, all in cache", {});
  rounds.add("store_commit", {}, [&bench] {
    const std::span words{bench.arenas[0]->word_buffers.data<std::uint32_t>(), std::size_t{1} << 10};
    constexpr std::size_t times = 4096;
    return timed(1, [&](int) { store_in_turn(words, times); }) / (8 * times);
  });

  using Stores = void (*)(std::byte*, std::size_t, std::size_t);
  std::map<std::size_t, Stores> stores{{16, store_16}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) stores[32] = store_32;
  if (__builtin_cpu_supports("avx512f")) stores[64] = store_64;
#endif
  Axis<std::size_t> registers{"register", {}};
  for (const auto& [bytes, store] : stores) registers.values.push_back(bytes);
  sweep(
      rounds,
      {"store_wide", "s",
       "MB11: a store of a register of 'register' bytes, one behind the other (0), or across lines as half of a "
       "register is kept (1)"},
      [&bench, stores](std::size_t bytes, bool crossing) {
        constexpr std::size_t count = std::size_t{1} << 16;
        const Stores store = stores.at(bytes);
        const std::size_t step = crossing ? bytes / 2 + 4 : bytes;
        return timed(1, [&](int) { store(bench.arenas[0]->word_buffers.data(), step, count); }) / count;
      },
      registers, Axis<bool>{"crossing", {false, true}});

#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f")) {
    sweep(
        rounds, {"issue.compress", "s", "MB6: compressing a register of 512 bits, in registers, lanes of 'lane' bytes"},
        [](int lane) {
          constexpr std::size_t count = std::size_t{1} << 16;
          return timed(1, [&](int) { lane == 8 ? compress_registers<8>(count) : compress_registers<4>(count); }) /
                 count;
        },
        Axis<int>{"lane", {4, 8}});
  }
#endif

  sweep(
      rounds,
      {"line_out", "s",
       "MB2: copying a line, a word of which has just been stored, to where the copies of one of 256 such go, in "
       "'bytes' of memory a thread, by ordinary (0) or non-temporal (1) stores"},
      [&bench](int threads, bool streams, std::size_t bytes) {
        const double seconds = timed(threads, [&](int thread) {
          Arena& arena = bench.arena(thread);
          const std::span to{arena.out_words.data(), bytes};
          const std::span lines{arena.word_buffers.data(), std::size_t{256} * kLine};
          streams ? lines_out<Store::nontemporal>(to, lines, arena.order)
                  : lines_out<Store::ordinary>(to, lines, arena.order);
        });
        return seconds / static_cast<double>(bench.arenas[0]->order.size());
      },
      bench.all_threads(), Axis<bool>{"nontemporal", {false, true}},
      Axis<std::size_t>{"bytes", {1 << 16, 1 << 18, 1 << 20, 1 << 22, bench.arenas[0]->bytes}});

  sweep(
      rounds,
      {"overlap.core", "1",
       "MB12: exponent p of ‖arithmetic in registers, memory‖ = both, line by line; memory is read (0), or copied by "
       "non-temporal stores (1)"},
      [&bench](int threads, bool copies) { return overlap(bench, threads, copies); }, bench.all_threads(),
      Axis<bool>{"copies", {false, true}});
}

const RegisterProbe registered{HostProbe{"core", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

// MB11 and MB12 without any sort's code: what a core takes for a branch that it did not foresee and for a word that it
// reads just after it was written, and how its arithmetic overlaps with memory.
#include "algorithms/common/host/overlap_exponent.hpp"
#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {
namespace {

/// Follows bit `bit` of each number by a branch, which no compiler turns into a conditional move.
[[gnu::noipa]] void follow(std::span<const std::uint16_t> numbers, std::uint32_t bit) {
  for (const std::uint16_t number : numbers) {
    if ((number & bit) != 0) asm volatile("nop");
    asm volatile("");
  }
}

/// Adds to words that `places` name: a chain through the store buffer where they name the same.
[[gnu::noipa]] void add_at(std::span<std::uint32_t> words, std::span<const std::uint16_t> places,
                              std::uint16_t mask) {
  for (const std::uint16_t place : places) ++words[place & mask];
  keep(words.data());
}

/// Stores to different lines in turn, all near.
[[gnu::noipa]] void store_in_turn(std::span<std::uint32_t> words, std::size_t times) {
  constexpr std::size_t line = kLine / sizeof(std::uint32_t);
  for (std::size_t i = 0; i < times; ++i) {
    for (std::size_t j = 0; j < 8; ++j) *static_cast<volatile std::uint32_t*>(&words[j * line]) = 1;
  }
}

/// Stores a word to one of 256 lines, which is then copied to where that line's copies go.
template <Store store>
[[gnu::noipa]] void lines_out(std::span<std::byte> to, std::span<std::byte> lines,
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

/// Of each line: arithmetic in registers, `rounds` times four chains; and what `memory` does with it.
template <class Memory>
[[gnu::noipa]] void with_arithmetic(std::size_t bytes, int rounds, const Memory& memory) {
  std::array<std::uint64_t, 4> chains{1, 2, 3, 4};
  for (std::size_t i = 0; i < bytes; i += kLine) {
    memory(i);
    for (int round = 0; round < rounds; ++round) {
      for (std::uint64_t& x : chains) {
        x = (x ^ (x >> 7)) + i;
        asm("" : "+r"(x));  // neither vectorised nor foreseen
      }
    }
  }
  for (const std::uint64_t x : chains) keep(x);
}

void add_overlap(Rounds& rounds, HostBench& bench, int threads, bool copies) {
  rounds.add("overlap.core", {static_cast<double>(threads), copies ? 1.0 : 0.0}, [&bench, threads, copies] {
    constexpr std::size_t bytes = std::size_t{8} << 20;
    // As much arithmetic as makes both take about as long on cores that copy a line in 30 to 60 cycles.
    const int arithmetic = copies ? 10 : 4;
    const auto work = [&](int times, bool moves) {
      return timed(threads, [&](int thread) {
        Arena& arena = *bench.arenas[static_cast<std::size_t>(thread)];
        const std::byte* const from = arena.next_of(arena.words, bytes).data();
        std::byte* const to = arena.out_words.data() + (from - arena.words.data());
        if (!moves) {
          with_arithmetic(bytes, times, [](std::size_t) {});
        } else if (copies) {
          with_arithmetic(bytes, times,
                          [&](std::size_t i) { copy_lines<Store::nontemporal>(to + i, from + i, kLine); });
        } else {
          std::uint64_t sum = 0;
          with_arithmetic(bytes, times, [&](std::size_t i) {
            sum ^= *reinterpret_cast<const std::uint64_t*>(from + i);
          });
          keep(sum);
        }
        finish_streaming();
      });
    };
    const double alone = work(arithmetic, false);
    const double memory = work(0, true);
    return overlap_exponent(alone, memory, work(arithmetic, true));
  });
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("branch_miss", "s", "MB11: what a branch takes more that goes either way by chance, a wrong guess",
                 {});
  rounds.add("branch_miss", {}, [&bench] {
    const Arena& arena = *bench.arenas[0];
    const auto follows = [&](std::uint32_t bit) { return timed(1, [&](int) { follow(arena.order, bit); }); };
    const double foreseen = follows(1U << 16);  // no number of 16 bits has it
    return 2 * (follows(1) - foreseen) / static_cast<double>(arena.order.size());
  });

  rounds.declare("store_forward", "s", "MB11: adding to a word that was just added to, by places that are read", {});
  rounds.add("store_forward", {}, [&bench] {
    Arena& arena = *bench.arenas[0];
    const std::span words{arena.word_buffers.data<std::uint32_t>(), std::size_t{1} << 16};
    return timed(1, [&](int) { add_at(words, arena.order, 0); }) / static_cast<double>(arena.order.size());
  });

  rounds.declare("store_commit", "s", "MB11: a store to another line than the last, all near", {});
  rounds.add("store_commit", {}, [&bench] {
    const std::span words{bench.arenas[0]->word_buffers.data<std::uint32_t>(), std::size_t{1} << 10};
    constexpr std::size_t times = 4096;
    return timed(1, [&](int) { store_in_turn(words, times); }) / (8 * times);
  });

  rounds.declare("line_out", "s",
                 "MB2: copying a line, a word of which has just been stored, to where the copies of one of 256 such go, "
                 "in 'bytes' of memory a thread, by ordinary (0) or non-temporal (1) stores",
                 {"threads", "nontemporal", "bytes"});
  for (const int threads : bench.threads) {
    for (const std::size_t bytes : {std::size_t{1} << 16, std::size_t{1} << 18, std::size_t{1} << 20,
                                    std::size_t{1} << 22, bench.arenas[0]->bytes}) {
      for (const bool streams : {false, true}) {
        const std::vector<double> at{static_cast<double>(threads), streams ? 1.0 : 0.0, static_cast<double>(bytes)};
        rounds.add("line_out", at, [&bench, threads, bytes, streams] {
          const double seconds = timed(threads, [&](int thread) {
            Arena& arena = *bench.arenas[static_cast<std::size_t>(thread)];
            const std::span to{arena.out_words.data(), bytes};
            const std::span lines{arena.word_buffers.data(), std::size_t{256} * kLine};
            streams ? lines_out<Store::nontemporal>(to, lines, arena.order)
                    : lines_out<Store::ordinary>(to, lines, arena.order);
          });
          return seconds / static_cast<double>(bench.arenas[0]->order.size());
        });
      }
    }
  }

  rounds.declare("overlap.core", "1",
                 "MB12: exponent p of ‖arithmetic in registers, memory‖ = both, line by line; memory is read (0), or "
                 "copied by non-temporal stores (1)",
                 {"threads", "copies"});
  for (const int threads : bench.threads) {
    add_overlap(rounds, bench, threads, false);
    add_overlap(rounds, bench, threads, true);
  }
}

const RegisterProbe registered{HostProbe{"core", TableKind::hardware, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

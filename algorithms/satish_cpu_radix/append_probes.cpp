// Micro-benchmark MB11, pieces of satish_cpu_radix, timed with the sort's own loops: counting digits, and appending
// elements to the buffers of their digits.
#include <cmath>

#include "algorithms/common/host/buffer_radix/append.hpp"
#include "algorithms/common/host/buffer_radix/histogram.hpp"
#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kCached = Arena::kCached;

template <class Word>
std::span<const Word> as(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const Word*>(bytes.data()), bytes.size() / sizeof(Word)};
}

template <class T>
constexpr double width = std::is_same_v<T, NoValue> ? 0 : static_cast<double>(sizeof(T));

/// Destination of full buffers.
enum class Target : std::uint8_t {
  cache,   ///< one place that stays in the first-level cache, to time the core alone
  memory,  ///< each digit's part of an array, usually larger than the caches, by non-temporal stores
  lines,   ///< like memory, by ordinary stores, which wait for the lines that they write
};

/// One thread's state for appending.
struct Appender {
  Arena& arena;
  std::vector<satish::Cursor> cursors = std::vector<satish::Cursor>(std::size_t{1} << 16);
  std::vector<std::uint64_t> places =
      std::vector<std::uint64_t>(std::size_t{1} << 16);  ///< number of elements written for each digit
};
/// One for each thread, used by all samples.
using Appenders = std::vector<Appender>;

Pages& digit_words(Arena& arena, const Digit& digit) {
  return digit.uniform ? arena.words : arena.biased_words;
}

template <class Word, class Value>
satish::DigitBuffers<Word, Value> make_buffers(Appender& appender, Digit digit, std::size_t slots) {
  return {.keys = appender.arena.word_buffers.data<Word>(),
          .values = appender.arena.value_buffers.data<Value>(),
          .cursors = appender.cursors.data(),
          .radix = std::size_t{1} << static_cast<int>(digit.width),
          .slots = static_cast<std::uint32_t>(slots)};
}

/// Sets the buffers to random fill levels.
void begin_buffers(Appender& appender, Digit digit, std::size_t slots) {
  for (std::size_t d = 0; d < std::size_t{1} << digit.bits; ++d) {
    appender.cursors[d].slot = static_cast<std::uint32_t>(d * slots + (appender.arena.order[d] & (slots - 1)));
  }
}

template <class Word, class Value, Target target, class Count = satish::CountNothing>
void append_words(Appender& appender, std::span<const Word> words, Digit digit, std::size_t slots, Count count = {},
                  std::size_t area = 0) {
  Arena& arena = appender.arena;
  const auto buffers = make_buffers<Word, Value>(appender, digit, slots);
  const Value* values = nullptr;
  if constexpr (buffers.has_values) {
    const Pages& others = digit.uniform ? arena.biased_words : arena.words;
    values = others.data<Value>() + (words.data() - digit_words(arena, digit).data<Word>()) % (arena.bytes / 16);
  }
  constexpr Store store = target == Target::memory ? Store::nontemporal : Store::ordinary;
  const auto send = [&]<class T>(Pages& out, std::uint32_t d, std::uint64_t place, const T* full) {
    const std::size_t part = (area > 0 ? area : arena.bytes) >> digit.bits;
    const std::size_t at = target == Target::cache ? 0 : d * part + ((place * sizeof(T)) & (part - 1));
    copy_lines<store>(out.data() + at, reinterpret_cast<const std::byte*>(full), slots * sizeof(T));
  };
  const auto write_out = [&](std::uint32_t d) __attribute__((noinline)) {
    const std::uint64_t place = appender.places[d] & ~(slots - 1);  // other probes have buffers of other sizes
    send(arena.out_words, d, place, buffers.keys + d * slots);
    if constexpr (buffers.has_values) send(arena.out_values, d, place, buffers.values + d * slots);
    appender.places[d] = place + slots;
  };
  satish::append<false, false>(buffers, words, values, satish::Digit<Word>{.shift = digit.shift, .bits = digit.bits},
                               count, write_out);
  finish_streaming();
}

template <class Word, class Value>
void add_append(Rounds& rounds, const HostBench& bench, const std::shared_ptr<Appenders>& appenders) {
  for (const int lines : bench.lines) {
    for (const Digit& digit : kDigits) {
      const std::size_t slots = satish::DigitBuffers<Word, Value>::line_elements * static_cast<std::size_t>(lines);
      constexpr auto widest = static_cast<std::size_t>(std::max(width<Word>, width<Value>));
      if ((slots * widest) << digit.bits > Arena::kBuffers) continue;  // much larger than the caches: never chosen
      const std::vector<double> at = point(width<Word>, width<Value>, lines, digit.width, digit.collision_bits);
      rounds.add("append", at, [appenders, digit, slots] {
        constexpr std::size_t times = 8;
        const auto words = as<Word>({digit_words(appenders->front().arena, digit).data(), kCached});
        begin_buffers(appenders->front(), digit, slots);
        const double seconds = timed(1, [&](int) {
          for (std::size_t i = 0; i < times; ++i) {
            append_words<Word, Value, Target::cache>(appenders->front(), words, digit, slots);
          }
        });
        return seconds / static_cast<double>(times * words.size());
      });
      for (const int threads : bench.threads) {
        rounds.add("scatter", point(threads, width<Word>, width<Value>, lines, digit.width, digit.collision_bits),
                   [appenders, digit, slots, threads] {
                     constexpr std::size_t count = std::size_t{1} << 19;
                     const auto scatter = [&](int thread) {
                       Appender& mine = (*appenders)[static_cast<std::size_t>(thread)];
                       const auto words =
                           as<Word>(mine.arena.next_bytes(digit_words(mine.arena, digit), count * sizeof(Word)));
                       append_words<Word, Value, Target::memory>(mine, words, digit, slots);
                     };
                     const auto begin = [&](int thread) {
                       begin_buffers((*appenders)[static_cast<std::size_t>(thread)], digit, slots);
                       scatter(thread);
                     };
                     return timed(threads, scatter, begin) / static_cast<double>(count);
                   });
      }
    }
  }
}

constexpr Digit kScattered{.width = 8, .collision_bits = 8, .uniform = true, .shift = 0, .bits = 8};
constexpr const char* kOrdinaryScatter = "scatter.ordinary";
constexpr const char* kSkewedScatter = "scatter.skewed";

/// Skewed digits of 8 bits, for which ordinary stores write fewer lines at a time: constant; one bit, and all bits, set
/// with probability 1/32; all bits set with probability 1/4; uniform.
constexpr std::array kSkewed{Digit{8, 0, false, 0, 0}, Digit{8, 0.0901, false, 16, 1}, Digit{8, 0.7208, false, 16, 8},
                             Digit{8, 5.4248, false, 0, 8}, kScattered};

/// The paper's form: buffers of a line, written by ordinary stores.
template <class Word, class Value>
void add_ordinary_scatter(Rounds& rounds, const std::shared_ptr<Appenders>& appenders, int threads, std::size_t bytes,
                          bool skewed, const Digit& digit) {
  std::vector<double> at = point(threads, width<Word>, width<Value>, bytes);
  if (skewed) at.push_back(digit.collision_bits);
  rounds.add(skewed ? kSkewedScatter : kOrdinaryScatter, at, [appenders, threads, bytes, digit] {
    constexpr std::size_t count = std::size_t{1} << 18;
    constexpr std::size_t slots = satish::DigitBuffers<Word, Value>::line_elements;
    const auto scatter = [&](int thread) {
      Appender& mine = (*appenders)[static_cast<std::size_t>(thread)];
      const auto words = as<Word>(mine.arena.next_bytes(digit_words(mine.arena, digit), count * sizeof(Word)));
      append_words<Word, Value, Target::lines>(mine, words, digit, slots, {}, bytes);
    };
    const auto begin = [&](int thread) {
      Appender& mine = (*appenders)[static_cast<std::size_t>(thread)];
      begin_buffers(mine, digit, slots);
      scatter(thread);
      if (bytes > Arena::kNear) return;  // data written one or two passes ago is in the nearest cache that holds it
      rewrite_lines({mine.arena.out_words.data(), bytes});
      if constexpr (!std::is_same_v<Value, NoValue>) rewrite_lines({mine.arena.out_values.data(), bytes});
    };
    return timed(threads, scatter, begin) / static_cast<double>(count);
  });
}

/// The extra time of a team's scatter for counting the next digit, in one table for each thread.
template <class Word>
void add_append_count(Rounds& rounds, const std::shared_ptr<Appenders>& appenders, int threads, int lines, int bits) {
  rounds.add("append.count", point(threads, width<Word>, lines, bits), [appenders, threads, lines, bits] {
    constexpr std::size_t count = std::size_t{1} << 19;
    constexpr int most_bits = 8;  // widest second digit
    const std::size_t slots = static_cast<std::size_t>(lines) * satish::DigitBuffers<Word, NoValue>::line_elements;
    const std::size_t tables = std::size_t{1} << std::max(0, bits - most_bits);
    const auto seconds = [&](const auto& counting) {
      const auto scatter = [&](int thread) {
        Appender& mine = (*appenders)[static_cast<std::size_t>(thread)];
        const auto words = as<Word>(mine.arena.next_bytes(mine.arena.words, count * sizeof(Word)));
        append_words<Word, NoValue, Target::memory>(mine, words, kScattered, slots, counting(mine.arena));
      };
      const auto begin = [&](int thread) {
        Appender& mine = (*appenders)[static_cast<std::size_t>(thread)];
        begin_buffers(mine, kScattered, slots);
        for (std::size_t d = 0; d < std::size_t{1} << kScattered.bits; ++d) {
          mine.cursors[d].counters = static_cast<std::uint32_t>(d % tables * satish::table_stride(most_bits));
        }
        scatter(thread);
      };
      return timed(threads, scatter, begin);
    };
    const double alone = seconds([](Arena&) { return satish::CountNothing{}; });
    const double with_counts = seconds([&](Arena& arena) {
      return satish::CountDigit<Word>{.counters = arena.value_buffers.data<std::uint32_t>(),
                                      .shift = kScattered.bits,
                                      .mask = (std::uint32_t{1} << std::min(bits, most_bits)) - 1};
    });
    return (with_counts - alone) / static_cast<double>(count);
  });
}

template <class Word, int tables>
void add_count(Rounds& rounds, HostBench& bench) {
  for (std::size_t bias = 0; bias < kBiases.size(); ++bias) {
    for (const int bits : {1, 4, 8, 11, 16}) {
      const double chance = kBiases[bias];
      const bool known = chance == 0     ? bits == 8
                         : chance < 0.25 ? bits < 11
                         : chance < 0.5  ? bits == 4 || bits == 8
                                         : bits > 4;
      if (!known || (tables - 1) * bits >= static_cast<int>(8 * sizeof(Word))) continue;
      const double equal_bits = chance * chance + (1 - chance) * (1 - chance);
      rounds.add("count", {width<Word>, double{tables}, -std::log2(equal_bits) * bits}, [&bench, bias, bits] {
        constexpr std::size_t times = 4;
        Arena& arena = *bench.arenas[0];
        auto* const counters = arena.word_buffers.data<std::uint32_t>();
        const auto words = as<Word>({arena.biased[bias].data(), kCached});
        const double seconds = timed(1, [&](int) {
          for (std::size_t i = 0; i < times; ++i) {
            satish::count_digits<KeyKind::integer, tables>(words, 0, bits, counters,
                                                           counters + std::size_t{tables} * satish::table_stride(bits));
          }
        });
        return seconds / static_cast<double>(times * words.size());
      });
    }
  }
}

void add_probes(Rounds& rounds, HostBench& bench) {
  const auto appenders = std::make_shared<Appenders>();
  for (const auto& arena : bench.arenas) appenders->push_back({*arena});
  rounds.declare(
      "count", "s/element",
      "MB11: counters in cache, words of 'key' bytes counted in 'tables' tables at once, by digits of a known "
      "collision entropy",
      {"key", "tables", "collision_bits"});
  const auto count_all = [&]<class Word>() {
    add_count<Word, 1>(rounds, bench);
    add_count<Word, 2>(rounds, bench);
    add_count<Word, 3>(rounds, bench);
    add_count<Word, 4>(rounds, bench);
  };
  count_all.template operator()<std::uint32_t>();
  count_all.template operator()<std::uint64_t>();
  count_all.template operator()<uint128>();

  rounds.declare("append", "s/element",
                 "MB11: appending to the buffer of a random digit, full buffers copied to one place in cache",
                 {"key", "value", "lines", "digit_bits", "collision_bits"});
  rounds.declare("scatter", "s/element",
                 "MB11: the same from memory to memory, full buffers written by non-temporal stores; per thread",
                 {"threads", "key", "value", "lines", "digit_bits", "collision_bits"});
  const auto append_all = [&]<class Word>() {
    add_append<Word, NoValue>(rounds, bench, appenders);
    add_append<Word, std::uint32_t>(rounds, bench, appenders);
    add_append<Word, std::uint64_t>(rounds, bench, appenders);
  };
  append_all.template operator()<std::uint32_t>();
  append_all.template operator()<std::uint64_t>();
  append_all.template operator()<uint128>();

  rounds.declare(
      kOrdinaryScatter, "s/element",
      "MB11: scatter to 'bytes' of keys by digits of 8 bits through buffers of a line, written by ordinary stores; per "
      "thread",
      {"threads", "key", "value", "bytes"});
  rounds.declare(kSkewedScatter, "s/element", "MB11: the same by digits of known collision entropy",
                 {"threads", "key", "value", "bytes", "collision_bits"});
  const auto scatter_all = [&]<class Word>() {
    const auto add_all = [&](int threads, std::size_t bytes, bool skewed, const Digit& digit) {
      add_ordinary_scatter<Word, NoValue>(rounds, appenders, threads, bytes, skewed, digit);
      add_ordinary_scatter<Word, std::uint32_t>(rounds, appenders, threads, bytes, skewed, digit);
      add_ordinary_scatter<Word, std::uint64_t>(rounds, appenders, threads, bytes, skewed, digit);
    };
    const std::size_t all = bench.arenas[0]->bytes;
    for (const int threads : bench.threads) {
      for (const std::size_t bytes : {kCached, std::size_t{4} << 20, std::size_t{16} << 20, all}) {
        add_all(threads, bytes, false, kScattered);
      }
      for (const std::size_t bytes : {std::size_t{4} << 20, all}) {
        for (const Digit& digit : kSkewed) add_all(threads, bytes, true, digit);
      }
    }
  };
  scatter_all.template operator()<std::uint32_t>();
  scatter_all.template operator()<std::uint64_t>();
  scatter_all.template operator()<uint128>();

  if (bench.threads.back() == 1) return;  // one thread counts before all passes
  rounds.declare("append.count", "s/element",
                 "MB11: extra time of a team's scatter that also counts another digit, whose counters coincide with "
                 "probability 2^-collision_bits; per thread",
                 {"threads", "key", "lines", "collision_bits"});
  for (const int threads : bench.threads) {
    if (threads == 1) continue;
    for (const int lines : bench.lines) {
      for (const int bits : {0, 4, 8, 12, 14}) {
        add_append_count<std::uint32_t>(rounds, appenders, threads, lines, bits);
        add_append_count<std::uint64_t>(rounds, appenders, threads, lines, bits);
        add_append_count<uint128>(rounds, appenders, threads, lines, bits);
      }
    }
  }
}

const RegisterProbe registered{HostProbe{"satish_cpu_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

#include <cmath>

#include "harness/calibration/probes.hpp"
#include "models/cost.hpp"

namespace sortlab::calibration {
namespace {

constexpr double kSmallest = 1;  ///< the resources take turns
constexpr double kLargest = 16;  ///< as good as full overlap

/// The exponent p with ‖(a, b)‖_p = both, by bisection: the norm falls as p grows.
double exponent(double a, double b, double both) {
  double low = kSmallest;
  double high = kLargest;
  const double times[] = {a, b};
  for (int step = 0; step < 40; ++step) {
    const double p = (low + high) / 2;
    (overlapped(times, p) > both ? low : high) = p;
  }
  return (low + high) / 2;
}

using Words = std::span<const std::uint64_t>;

Words words(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const std::uint64_t*>(bytes.data()), bytes.size() / sizeof(std::uint64_t)};
}

constexpr int kByte = 8;  // bits of a digit, uniform

}  // namespace

void add_overlap_probes(Rounds& rounds, Bench& bench) {
  rounds.declare(
      "overlap.read", "1",
      "MB12: exponent p of ‖counting in cache, reading memory‖ = counting from memory, 8-byte words, one table",
      {"threads"});
  for (const int threads : bench.threads) {
    rounds.add("overlap.read", {static_cast<double>(threads)}, [&bench, threads] {
      constexpr std::size_t bytes = std::size_t{8} << 20;
      constexpr std::size_t cached = std::size_t{1} << 18;
      const auto counters = [&](int thread) {
        return bench.arenas[static_cast<std::size_t>(thread)]->word_buffers.data<std::uint32_t>();
      };
      const auto arena = [&](int thread) -> Arena& { return *bench.arenas[static_cast<std::size_t>(thread)]; };
      const double count = timed(threads, [&](int thread) {
        for (std::size_t i = 0; i < bytes; i += cached) {
          count_digits<std::uint64_t, 1>(words({arena(thread).words.data(), cached}), kByte, counters(thread),
                                         counters(thread) + table_stride(kByte));
        }
      });
      const double read =
          timed(threads, [&](int thread) { read_stream(arena(thread).next_of(arena(thread).words, bytes)); });
      const double both = timed(threads, [&](int thread) {
        count_digits<std::uint64_t, 1>(words(arena(thread).next_of(arena(thread).words, bytes)), kByte,
                                       counters(thread), counters(thread) + table_stride(kByte));
      });
      return exponent(count, read, both);
    });
  }
}

}  // namespace sortlab::calibration

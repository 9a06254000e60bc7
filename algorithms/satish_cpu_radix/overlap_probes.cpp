// Micro-benchmark MB12 for satish_cpu_radix: the overlap of counting digits with reading the words from memory.
#include "algorithms/common/host/buffer_radix/histogram.hpp"
#include "algorithms/common/host/overlap_exponent.hpp"
#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {

namespace {

constexpr int kByte = 8;  // bits of a uniform digit
constexpr std::size_t kCached = Arena::kCached;

template <class Word>
void add_overlap(Rounds& rounds, HostBench& bench, int threads) {
  rounds.add("overlap.read", point(threads, sizeof(Word)), [&bench, threads] {
    constexpr std::size_t bytes = std::size_t{8} << 20;
    const auto count = [&](int thread, std::span<const std::byte> from) {
      auto* const counters = bench.arena(thread).word_buffers.data<std::uint32_t>();
      const std::span words{reinterpret_cast<const Word*>(from.data()), from.size() / sizeof(Word)};
      satish::count_digits<KeyKind::integer, 1>(words, 0, kByte, counters, counters + satish::table_stride(kByte));
    };
    const auto arena = [&](int thread) -> Arena& { return bench.arena(thread); };
    const double counting = timed(threads, [&](int thread) {
      for (std::size_t i = 0; i < bytes; i += kCached) count(thread, {arena(thread).words.data(), kCached});
    });
    const double reading =
        timed(threads, [&](int thread) { read_stream(arena(thread).next_bytes(arena(thread).words, bytes)); });
    const double both =
        timed(threads, [&](int thread) { count(thread, arena(thread).next_bytes(arena(thread).words, bytes)); });
    return overlap_exponent(counting, reading, both);
  });
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare(
      "overlap.read", "1",
      "MB12: exponent p of ‖counting in cache, reading memory‖ = counting from memory, words of 'key' bytes, "
      "one table",
      {"threads", "key"});
  for (const int threads : bench.threads) {
    add_overlap<std::uint32_t>(rounds, bench, threads);
    add_overlap<std::uint64_t>(rounds, bench, threads);
    add_overlap<uint128>(rounds, bench, threads);
  }
}

const RegisterProbe registered{HostProbe{"satish_cpu_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

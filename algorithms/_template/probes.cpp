// The probe that the model needs beyond the machine's micro-benchmarks: the time per element of the sort's scatter,
// alone, on random keys in cache.
#include "algorithms/_template/passes.hpp"
#include "algorithms/host_probe.hpp"

namespace sortlab::calibration {
namespace {

/// Elements of at most 16 bytes; input and output take 2^18 bytes.
constexpr std::uint64_t kElements = std::uint64_t{1} << 13;
constexpr int kTimes = 16;  ///< repetitions per sample, about 100 µs

template <class K, class V>
void add_scatter(Rounds& rounds, HostBench& bench) {
  const double value_bytes = std::is_same_v<V, NoValue> ? 0 : sizeof(V);
  rounds.add("_template.scatter", {sizeof(K), value_bytes}, [&bench] {
    Arena& arena = *bench.arenas[0];
    const Buffers from{{arena.words.data(), kElements}, {arena.biased_words.data(), kElements}};
    const Buffers to{{arena.out_words.data(), kElements}, {arena.out_values.data(), kElements}};
    const _template::Offsets offsets = _template::histogram<K>(from.keys.as<K>(), 0);
    const auto scatter = [&](int /*thread*/) {
      for (int i = 0; i < kTimes; ++i) _template::scatter<K, V>(from, to, offsets, 0);
    };
    return timed(1, scatter, scatter) / static_cast<double>(kTimes * kElements);
  });
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare("_template.scatter", "s/element", "one pass's scatter of random keys in cache", {"key", "value"});
  add_scatter<std::uint32_t, NoValue>(rounds, bench);
  add_scatter<std::uint32_t, std::uint32_t>(rounds, bench);
  add_scatter<std::uint64_t, NoValue>(rounds, bench);
  add_scatter<std::uint64_t, std::uint64_t>(rounds, bench);
}

const RegisterProbe registered{HostProbe{"_template", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

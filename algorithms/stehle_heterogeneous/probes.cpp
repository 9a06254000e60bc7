// MB11, a component of stehle_heterogeneous: the merge of runs alone, by the sort's own code, on synthetic sorted runs.
#include "algorithms/host_probe.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"
#include "core/pages.hpp"

namespace sortlab::calibration {
namespace {

using namespace heterogeneous;

constexpr const char* kTable = "stehle_heterogeneous.merge";
/// Bytes of a thread's runs: more than its share of the caches
constexpr std::uint64_t kBytes = std::uint64_t{16} << 20;

/// Runs of one thread, and the merge's output.
struct Runs {
  Runs(const Problem& problem, std::size_t count, std::uint64_t seed)
      : keys(problem.n * byte_size(problem.key), PageKind::huge),
        values(problem.n * byte_size(problem.value), PageKind::huge),
        merged_keys(keys.size(), PageKind::huge),
        merged_values(values.size(), PageKind::huge),
        n(problem.n),
        merger(make_our_merger(problem, {.threads = 1, .cpus = {}})) {
    for (std::size_t run = 0; run <= count; ++run) bounds.push_back(n / count * run);
    n = bounds.back();
    with_key_type(problem.key, [&]<class K>() {
      if constexpr (sizeof(K) <= 8) fill<K>(count, seed);
    });
  }

  /// Fills each run with keys that ascend over the whole range by random steps.
  template <class K>
  void fill(std::size_t count, std::uint64_t random) const {
    const std::uint64_t length = n / count;
    const auto longest = static_cast<std::uint64_t>(static_cast<Bits<K>>(~Bits<K>{0})) / length;
    for (std::size_t run = 0; run < count; ++run) {
      std::uint64_t key = 0;
      for (std::uint64_t i = 0; i < length; ++i) {
        random = random * 6364136223846793005U + 1442695040888963407U;
        key += (random >> 33) % std::min<std::uint64_t>(longest, std::uint64_t{1} << 31);
        keys.data<Bits<K>>()[run * length + i] = static_cast<Bits<K>>(key);
      }
    }
  }

  void merge() const {
    PhaseTimer phases;
    const auto of = [this](const Pages& pages) {
      return Array{.data = pages.data(), .count = pages.size() > 0 ? n : 0};
    };
    merger->merge({.keys = of(keys), .values = of(values)}, bounds,
                  {.keys = of(merged_keys), .values = of(merged_values)}, phases);
  }

  Pages keys;
  Pages values;
  Pages merged_keys;
  Pages merged_values;
  std::uint64_t n;
  std::vector<std::uint64_t> bounds{};
  std::unique_ptr<RunMerger> merger;
};

void add(Rounds& rounds, KeyType key, ValueType value, int threads, std::size_t count) {
  Problem problem{.key = key, .value = value, .residency = Residency::end_to_end};
  problem.n = kBytes / (byte_size(key) + byte_size(value));
  rounds.add(kTable, point(threads, count, byte_size(key), byte_size(value)), [=] {
    std::vector<std::unique_ptr<Runs>> runs(static_cast<std::size_t>(threads));
    const auto index = [](int thread) { return static_cast<std::size_t>(thread); };
    return timed_by_pieces(
               threads, [&](int thread) { runs[index(thread)]->merge(); },
               [&](int thread) {
                 const auto seed = static_cast<std::uint64_t>(thread) + 1;
                 runs[index(thread)] = std::make_unique<Runs>(problem, count, seed);
                 runs[index(thread)]->merge();
               }) /
           static_cast<double>(problem.n);
  });
}

void add_probes(Rounds& rounds, HostBench& bench) {
  rounds.declare(kTable, "s/element",
                 "MB11: so many runs merged from memory to memory by a thread, others as busy beside it: time of a "
                 "thread's element",
                 {"threads", "runs", "key", "value"});
  for_each_combination(
      [&](int threads, std::size_t count, KeyType key) {
        add(rounds, key, ValueType::none, threads, count);
        add(rounds, key, key == KeyType::u32 ? ValueType::u32 : ValueType::u64, threads, count);
      },
      bench.all_threads(),
      Axis<std::size_t>{"runs",
                        bench.quick ? std::vector<std::size_t>{4, 16} : std::vector<std::size_t>{2, 4, 8, 16, 32}},
      Axis<KeyType>{"key", {KeyType::u32, KeyType::u64}});
}

const RegisterProbe registered{HostProbe{"stehle_heterogeneous", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

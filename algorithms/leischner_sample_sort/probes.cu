// Probes of the kernels of a level and of the bucket sorts, each alone on synthetic keys. Whole grids are timed, since
// memory, the L2 cache and the number of blocks determine their time.
#include <chrono>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/device_probe.hpp"
#include "algorithms/leischner_sample_sort/compiled_levels.cuh"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

using namespace sample_sort;

constexpr int kShort = 16;                  ///< repetitions of a short kernel per sample
constexpr std::uint32_t kPartialTiles = 9;  ///< half tiles per segment, if some tiles are not full

enum class Preset { tuned, paper };

/// Settings of a preset for a type, from its resolved parameters.
Settings preset_settings(Preset preset, KeyType key, ValueType value) {
  const Algorithm& algorithm = algorithm_named("leischner_sample_sort");
  const auto& presets = algorithm.info().presets;
  const auto named = std::ranges::find(presets, preset == Preset::paper ? "paper" : "tuned",
                                       &std::pair<std::string, GivenParameters>::first);
  const Problem problem{.key = key, .value = value, .residency = Residency::device};
  Parameters parameters = resolve(algorithm.info().name, algorithm.info().parameters, named->second);
  for (const Parameter& declared : algorithm.info().parameters) {
    if (!parameters.is_auto(declared.name)) continue;
    parameters.set(declared.name, *algorithm.automatic(declared.name, problem, {}));
  }
  return resolve_settings(parameters, problem.n, byte_size(problem.key), byte_size(problem.value));
}

/// Random words, or ascending ones over the whole range.
template <class Word>
__global__ void make_words(Word* words, std::uint64_t n, bool sorted) {
  const Word step = ~Word{0} / static_cast<Word>(n);
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const auto low = hash(static_cast<std::uint32_t>(i));
    words[i] = sorted              ? static_cast<Word>(i) * step
               : sizeof(Word) == 4 ? static_cast<Word>(low)
                                   : static_cast<Word>(std::uint64_t{hash(low + 0x9e3779b9U)} << 32 | low);
  }
}

/// Levels on arrays in the bench's memory, which all probes overwrite: keys are generated again for each sample.
template <class Word, class V>
class LevelBench {
 public:
  static constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;
  static constexpr KeyType kKey = sizeof(Word) == 4 ? KeyType::u32 : KeyType::u64;
  static constexpr ValueType kValue = !kHasValue<V>    ? ValueType::none
                                      : sizeof(V) == 4 ? ValueType::u32
                                                       : ValueType::u64;

  LevelBench(DeviceBench& bench, Preset preset)
      : settings(preset_settings(preset, kKey, kValue)),
        bench_(bench),
        levels_(max_elements(bench), KeyOrder<Word>{}, settings) {
    for (int i = 0; i < 2; ++i) {
      std::byte* const begin = bench.out() + 2 * i * array_bytes(bench);
      arrays_.keys[i] = reinterpret_cast<Word*>(begin);
      arrays_.values[i] = kHasValue<V> ? reinterpret_cast<V*>(begin + array_bytes(bench)) : nullptr;
    }
  }

  static std::size_t array_bytes(const DeviceBench& bench) {
    return std::min<std::size_t>(256 * MiB, bench.bytes() / 4);
  }
  /// Maximum number of elements.
  static std::uint64_t max_elements(const DeviceBench& bench) { return array_bytes(bench) / sizeof(Word); }

  void make(std::uint64_t n, bool sorted, int array = 0) const {
    make_words<<<16 * bench_.multiprocessors, 256, 0, bench_.stream()>>>(arrays_.keys[array], n, sorted);
    check_launch();
  }

  /// Lays out segments of equal size, as many as fit completely.
  void lay_out(std::uint64_t n, std::uint64_t each, std::uint32_t log_ways) {
    std::vector<Segment> segments;
    state_ = {};
    for (std::uint64_t first = 0; first + each <= n; first += each) {
      const auto tiles = static_cast<std::uint32_t>((each + settings.tile - 1) / settings.tile);
      segments.push_back({.first = first,
                          .count = each,
                          .before = first,
                          .counters = state_.counters,
                          .splitters = state_.ways,
                          .tile = state_.tiles,
                          .tiles = tiles,
                          .log_ways = log_ways,
                          .duplicates = 0});
      state_.counters += (std::uint64_t{tiles} << log_ways) * kept_counters(settings);
      state_.ways += std::uint64_t{1} << log_ways;
      state_.tiles += tiles;
    }
    state_.segments = static_cast<std::uint32_t>(segments.size());
    check(cudaMemcpyAsync(levels_.memory().segments(), segments.data(), segments.size() * sizeof(Segment),
                          cudaMemcpyHostToDevice, bench_.stream()));
    check(cudaStreamSynchronize(bench_.stream()));
  }

  double begin() const {
    return repeated([&](cudaStream_t stream) { levels_.begin(max_elements(bench_), stream); });
  }
  double sample() const {
    const auto split = make_split();
    return repeated([&](cudaStream_t stream) { levels_.sample(split, state_, stream); });
  }
  double find() const {
    const auto split = make_split();
    levels_.sample(split, state_, bench_.stream());
    return repeated([&](cudaStream_t stream) { levels_.find(split, state_, stream); });
  }
  double scatter() const {
    const auto split = make_split();
    prepare_scatter(split);
    return repeated([&](cudaStream_t stream) { levels_.scatter(split, arrays_, 0, state_, stream); });
  }
  /// Time of list, including the host's wait, by the host's clock.
  double list() const {
    const auto split = make_split();
    prepare_scatter(split);
    levels_.scatter(split, arrays_, 0, state_, bench_.stream());
    check(cudaStreamSynchronize(bench_.stream()));
    check(cudaMemsetAsync(levels_.memory().lists().state, 0, sizeof(State), bench_.stream()));
    check(cudaStreamSynchronize(bench_.stream()));
    State state = state_;
    const auto begin = RawClock::now();
    levels_.list(split, 0, state, bench_.stream());
    return std::chrono::duration<double>(RawClock::now() - begin).count();
  }

  /// Sorts buckets of the same size from the second array; quicksort destroys its input.
  double sort(std::uint32_t size_class, std::uint32_t buckets, std::uint32_t elements) {
    make(std::uint64_t{buckets} * elements, false, 1);
    std::vector<Bucket> listed;
    for (std::uint32_t b = 0; b < buckets; ++b) {
      listed.push_back({.first = std::uint64_t{b} * elements, .count = elements, .second = 1});
    }
    check(cudaMemcpyAsync(levels_.memory().lists().buckets[size_class], listed.data(), listed.size() * sizeof(Bucket),
                          cudaMemcpyHostToDevice, bench_.stream()));
    check(cudaStreamSynchronize(bench_.stream()));
    const auto once = [&](cudaStream_t stream) {
      State state{};
      state.buckets[size_class] = buckets;
      levels_.sort_listed(arrays_, state, stream);
    };
    if (settings.bucket_sort == BucketSort::merge) return repeated(once);
    return bench_.time_launches(once);
  }

  const Settings settings;

 private:
  Split<Word> make_split() const { return levels_.split(arrays_, 0, state_, 1); }
  void prepare_scatter(const Split<Word>& split) const {
    levels_.sample(split, state_, bench_.stream());
    levels_.find(split, state_, bench_.stream());
    levels_.scan(state_, bench_.stream());
  }
  template <class Launch>
  double repeated(const Launch& launch) const {
    launch(bench_.stream());  // loads the kernel
    const double seconds = bench_.time_launches([&](cudaStream_t stream) {
      for (int i = 0; i < kShort; ++i) launch(stream);
    });
    return seconds / kShort;
  }

  DeviceBench& bench_;
  SampleLevels<Word, V> levels_;
  Arrays<Word, V> arrays_{};
  State state_{};
};

std::vector<std::uint32_t> measured_logs(Preset preset) {
  if (preset == Preset::paper) return {7};
  return {3, 5, 7, 9};
}
constexpr std::uint32_t kMiddleLog = 7;
constexpr std::uint32_t kPartialLog = 4;

template <class Word, class V>
void add_levels(Rounds& rounds, DeviceBench& bench, Preset preset) {
  using Levels = LevelBench<Word, V>;
  const auto levels = std::make_shared<Levels>(bench, preset);
  const std::uint64_t max_elements = Levels::max_elements(bench);
  const double is_paper = preset == Preset::paper ? 1 : 0;
  const auto add = [&](std::uint32_t log, bool sorted, std::uint64_t n, std::uint64_t each, double order) {
    const auto seconds = [=](double (Levels::*of)() const) {
      return [=] {
        levels->make(n, sorted);
        levels->lay_out(n, each, log);
        return (levels.get()->*of)() / static_cast<double>(n / each * each);
      };
    };
    const auto bytes = n * sizeof(Word);
    if (!kHasValue<V>) {
      rounds.add("sample_sort.find", point(is_paper, sizeof(Word), log, order, bytes), seconds(&Levels::find));
    }
    rounds.add("sample_sort.scatter", point(is_paper, sizeof(Word), Levels::kValueBytes, log, order, bytes),
               seconds(&Levels::scatter));
  };
  for (const std::uint32_t log : measured_logs(preset)) {
    add(log, false, max_elements, max_elements, 0);
    add(log, true, max_elements, max_elements, 1);
  }
  for (std::uint64_t n = 1 << 18; n < max_elements; n *= 4) add(kMiddleLog, false, n, n, 0);
  if (preset == Preset::paper) return;  // its segments have many tiles
  add(kPartialLog, false, max_elements, kPartialTiles * std::uint64_t{levels->settings.tile} / 2, 2);
}

void add_begin(Rounds& rounds, DeviceBench& bench) {
  const auto levels = std::make_shared<LevelBench<std::uint32_t, NoValue>>(bench, Preset::tuned);
  rounds.add("sample_sort.begin", {}, [levels] { return levels->begin(); });
}

template <class Word>
void add_samples(Rounds& rounds, DeviceBench& bench, Preset preset) {
  using Levels = LevelBench<Word, NoValue>;
  const auto levels = std::make_shared<Levels>(bench, preset);
  const double is_paper = preset == Preset::paper ? 1 : 0;
  const std::uint64_t n = std::uint64_t{1} << 24;
  // As many segments as the levels have room for their splitters.
  const auto max_buckets = [&](std::uint32_t log) {
    const std::uint64_t room = list_bounds(levels->settings, Levels::max_elements(bench)).ways >> log;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(4 * bench.multiprocessors, room));
  };
  for (const std::uint32_t log : measured_logs(preset)) {
    for (const std::uint32_t segments : {1U, max_buckets(log)}) {
      rounds.add("sample_sort.sample", point(is_paper, sizeof(Word), log, segments), [=] {
        levels->make(n, false);
        levels->lay_out(n, n / segments, log);
        return levels->sample();
      });
    }
  }
  if (preset == Preset::paper) return;
  for (const std::uint32_t segments : {1U, max_buckets(kMiddleLog)}) {
    rounds.add("sample_sort.list", point(sizeof(Word), segments), [=] {
      levels->make(n, false);
      levels->lay_out(n, n / segments, kMiddleLog);
      return levels->list();
    });
  }
}

template <class Word, class V>
void add_sorts(Rounds& rounds, DeviceBench& bench) {
  using Levels = LevelBench<Word, V>;
  const auto each = static_cast<std::uint32_t>(bench.multiprocessors);
  const auto room = [&](std::uint32_t elements) {
    return static_cast<std::uint32_t>(Levels::max_elements(bench) / 2 / elements);
  };
  const auto tuned = std::make_shared<Levels>(bench, Preset::tuned);
  std::uint32_t before = 1;
  for (std::uint32_t c = 0; c < kClasses; ++c) {
    const std::uint32_t end = class_elements(c, sizeof(Word));
    for (const std::uint32_t elements : {before + 1, (before + end) / 2, end}) {
      const std::uint32_t max_buckets = std::min(room(elements), 32 * each * (kClasses - c));
      for (const std::uint32_t buckets : {each, max_buckets}) {
        rounds.add("sample_sort.merge", point(sizeof(Word), Levels::kValueBytes, end, elements, buckets),
                   [=] { return tuned->sort(c, buckets, elements); });
      }
    }
    before = end;
  }
  const auto paper = std::make_shared<Levels>(bench, Preset::paper);
  for (const std::uint32_t elements : {256U, kNetworkElements, 4 * kNetworkElements, 16 * kNetworkElements, 1U << 17}) {
    for (const std::uint32_t buckets : {each, std::min(room(elements), 16 * each)}) {
      rounds.add("sample_sort.quicksort", point(sizeof(Word), Levels::kValueBytes, elements, buckets),
                 [=] { return paper->sort(0, buckets, elements); });
    }
  }
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string kernel =
      "; preset paper (1) or tuned (0); log_ways: log2 of the ways; order 0: random keys, 1: sorted, 2: random, in "
      "segments of 4.5 tiles";
  rounds.declare("sample_sort.find", "s/element", "MB8: phase 2 (find)" + kernel,
                 {"paper", "key_bytes", "log_ways", "order", "bytes"});
  rounds.declare("sample_sort.scatter", "s/element", "MB8: phase 4 (scatter)" + kernel,
                 {"paper", "key_bytes", "value_bytes", "log_ways", "order", "bytes"});
  rounds.declare("sample_sort.begin", "s", "MB8: listing the input as one segment", {});
  rounds.declare("sample_sort.sample", "s", "MB8: phase 1 (sample) of the segments; preset paper (1) or tuned (0)",
                 {"paper", "key_bytes", "log_ways", "segments"});
  rounds.declare("sample_sort.list", "s",
                 "MB8: listing the buckets of segments split 128 ways, the host's wait included",
                 {"key_bytes", "segments"});
  rounds.declare("sample_sort.merge", "s",
                 "MB8: merge sort of the buckets, `elements` each, by blocks for `capacity` elements",
                 {"key_bytes", "value_bytes", "capacity", "elements", "buckets"});
  rounds.declare("sample_sort.quicksort", "s", "MB8: quicksort of the buckets, `elements` each",
                 {"key_bytes", "value_bytes", "elements", "buckets"});
  add_begin(rounds, bench);
  const auto add_type = [&]<class Word, class V>() {
    for (const Preset preset : {Preset::tuned, Preset::paper}) add_levels<Word, V>(rounds, bench, preset);
    add_sorts<Word, V>(rounds, bench);
  };
  add_type.template operator()<std::uint32_t, NoValue>();
  add_type.template operator()<std::uint64_t, NoValue>();
  add_type.template operator()<std::uint32_t, std::uint32_t>();
  add_type.template operator()<std::uint64_t, std::uint64_t>();
  for (const Preset preset : {Preset::tuned, Preset::paper}) {
    add_samples<std::uint32_t>(rounds, bench, preset);
    add_samples<std::uint64_t>(rounds, bench, preset);
  }
}

const RegisterProbe registered{DeviceProbe{"leischner_sample_sort", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

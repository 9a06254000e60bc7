// Probes of the local sorts, one size class each, on lists of buckets of equal size.
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/stehle_hybrid_radix/probe_bench.cuh"

namespace sortlab::calibration {
namespace {

constexpr std::uint32_t kMaxBuckets = 16384;
constexpr std::uint32_t kDigits = 256;

/// Settings for one size class alone, with the sort of the buckets it leaves: no buckets are merged, and none goes to
/// another class.
Settings class_settings(LocalSort sort, std::uint32_t max_keys, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  Settings settings = hybrid_settings(sort == LocalSort::ranked, key_bytes, value_bytes);
  settings.local_sort = sort;
  settings.local_keys = max_keys;
  settings.merge_keys = 0;
  settings.classes = hybrid_radix::Classes::one;
  return settings;
}

template <class Word, class V>
class LocalProbes {
 public:
  LocalProbes(Rounds& rounds, DeviceBench& bench) : rounds_(rounds), bench_(bench) {}

  void add(LocalSort sort) {
    const Settings row = hybrid_settings(sort == LocalSort::ranked, sizeof(Word), Passes::kValueBytes);
    const auto classes = hybrid_radix::local_size_classes(row, sizeof(Word), Passes::kValueBytes);
    std::uint32_t before = 0;  // largest bucket of the previous class
    for (int c = 0; c < classes.count; ++c) {
      const Shape& shape = classes.shapes[static_cast<std::size_t>(c)];
      const std::uint32_t max_keys = std::min(shape.keys(), row.local_keys);
      const Settings settings = class_settings(sort, max_keys, sizeof(Word), Passes::kValueBytes);
      std::vector<std::uint32_t> sizes{max_keys};
      if (!bench_.quick) sizes.push_back(before > 0 ? before + 1 : max_keys / 4);
      // With a single class, all buckets belong to the largest.
      if (c + 1 == classes.count && c > 0) {
        for (const std::uint32_t share : {16U, 4U}) sizes.push_back(max_keys / share);
      }
      for (const std::uint32_t keys : sizes) add_class(settings, shape.keys(), keys);
      add_few(settings, shape.keys());
      before = max_keys;
    }
    add_idle(row);
  }

 private:
  using Passes = PassBench<Word, V>;
  static constexpr int kBits = 8 * sizeof(Word);
  static constexpr int kFirstPass = 1;                         ///< the first pass that can list many buckets
  static constexpr int kLastPass = kBits / 8 - 2;              ///< the last pass that lists any
  static constexpr std::array kPasses{kFirstPass, kLastPass};  ///< passes whose listed buckets have that many bits left
  static int bits_left(int number) { return kBits - 8 * (number + 1); }

  static std::vector<double> type(const Settings& settings) {
    return point(settings.local_sort == LocalSort::ranked, sizeof(Word), Passes::kValueBytes);
  }

  /// Enough buckets to keep the device busy.
  void add_class(const Settings& settings, std::uint32_t capacity, std::uint32_t keys) {
    const auto room = static_cast<std::uint32_t>(64 * MiB / (keys * sizeof(Word)));
    // Whole multiples, so that no earlier pass lists a remainder.
    const std::uint32_t buckets = std::min(kMaxBuckets, std::max(kDigits, room / kDigits * kDigits));
    const auto passes = std::make_shared<Passes>(bench_, settings, std::uint64_t{buckets} * keys);
    const bool ranked = settings.local_sort == LocalSort::ranked;
    for (const int number : kPasses) {
      const int bits = bits_left(number);
      // The ranked sort's cost grows with keys per bin if more bits remain than bins distinguish. With even lower
      // probabilities so many keys share their bits that buckets are left to the block radix sort.
      std::vector<double> chances{0.5};
      if (ranked && !bench_.quick) chances = {0.26, 0.5};
      if (ranked && !bench_.quick && number == kFirstPass) chances = {0.26, 0.35, 0.5};
      for (const double ones : chances) {
        std::vector<double> at = type(settings);
        for (const double argument : point(capacity, keys, bits, ones)) at.push_back(argument);
        rounds_.add("hybrid.local", at,
                    [=, &bench = bench_] { return list_seconds(bench, *passes, number, buckets, ones, 1) / buckets; });
      }
    }
  }

  /// Adds probes with one bucket per multiprocessor.
  void add_few(const Settings& settings, std::uint32_t capacity) {
    const auto buckets = static_cast<std::uint32_t>(bench_.multiprocessors);
    const auto passes = std::make_shared<Passes>(bench_, settings, std::uint64_t{buckets} * settings.local_keys);
    std::vector<double> at = type(settings);
    at.push_back(capacity);
    rounds_.add("hybrid.local_few", at,
                [=, &bench = bench_] { return list_seconds(bench, *passes, kFirstPass, buckets, 0.5, 4); });
  }

  /// Additional time, in seconds, of a pass's local sorts that find work over those that find none.
  static double list_seconds(DeviceBench& bench, Passes& passes, int number, std::uint32_t buckets, double ones,
                             int times) {
    const int bits = bits_left(number);
    passes.make({.buckets = buckets, .shift = bits, .random = bits, .ones = ones});
    const auto before = [&](cudaStream_t stream) {
      passes.run_to(number, stream);
      passes.count(number, stream);
      passes.passes().prefix(passes.pass(number), stream);
      passes.passes().assign(passes.pass(number), stream);
      passes.passes().move(passes.pass(number), stream);
    };
    const double busy = passes.seconds_after(
        before, [&](cudaStream_t stream) { passes.sort_locally(number, stream); }, times);
    // The next pass lists nothing.
    const auto idle = [&](cudaStream_t stream) { passes.sort_locally(number + 1, stream); };
    if (times > 1) return busy - passes.seconds_after(before, idle, times);
    return busy - bench.time_launches(idle);
  }

  void add_idle(const Settings& settings) {
    const auto passes = std::make_shared<Passes>(bench_, settings, std::uint64_t{1} << 24);
    const int launches = hybrid_radix::local_size_classes(settings, sizeof(Word), Passes::kValueBytes).count *
                         (settings.local_sort == LocalSort::ranked ? 2 : 1);
    rounds_.add("hybrid.local_idle", type(settings), [=] {
      return passes->idle_seconds(launches, [&](cudaStream_t stream) { passes->sort_locally(kIdlePass, stream); }) /
             launches;
    });
  }

  Rounds& rounds_;
  DeviceBench& bench_;
};

}  // namespace

void add_local_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string sorts = "by rank (1) or CUB's block radix sort (0), of blocks for so many keys, ";
  rounds.declare("hybrid.local", "s",
                 "MB8: a bucket of so many keys among many, sorted " + sorts +
                     "with so many bits left, each one with probability 'ones'",
                 {"ranked", "key_bytes", "value_bytes", "capacity", "keys", "bits", "ones"});
  rounds.declare("hybrid.local_few", "s",
                 "MB8: one bucket per multiprocessor " + sorts + "full, with all bits after the second digit left",
                 {"ranked", "key_bytes", "value_bytes", "capacity"});
  rounds.declare("hybrid.local_idle", "s", "MB8: a launch of a local sort that finds no bucket",
                 {"ranked", "key_bytes", "value_bytes"});
  for_hybrid_types([&]<class Word, class V>() {
    LocalProbes<Word, V> probes{rounds, bench};
    probes.add(LocalSort::ranked);
    probes.add(LocalSort::block_radix);
  });
}

}  // namespace sortlab::calibration

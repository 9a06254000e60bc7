// Probes of the small kernels that clear counters, build prefix sums and make lists, by the number of buckets.
#include <chrono>

#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/stehle_hybrid_radix/probe_bench.cuh"
#include "core/raw_clock.hpp"

namespace sortlab::calibration {
namespace {

using Passes = PassBench<std::uint32_t, NoValue>;

/// Buckets that a pass splits into sub-buckets of equal size, all of which are listed: for the local sort, or, above
/// its threshold, for the next pass.
struct Listed {
  int number;                 ///< index of the pass
  int shift;                  ///< bits of a key below the index of its sub-bucket, which occupies the highest bits
  std::uint32_t buckets;      ///< buckets that the pass splits
  std::uint32_t sub_buckets;  ///< sub-buckets of all buckets
  std::uint64_t keys;         ///< keys per sub-bucket

  std::uint64_t n() const { return sub_buckets * keys; }
};

constexpr std::uint32_t kLocalKeys = 512;
constexpr Listed kOneBucket{.number = 0, .shift = 24, .buckets = 1, .sub_buckets = 256, .keys = 2 * kLocalKeys};
constexpr Listed kOne{.number = 0, .shift = 24, .buckets = 1, .sub_buckets = 1, .keys = 1 << 18};
constexpr std::array kListed{
    kOne, kOneBucket, Listed{.number = 1, .shift = 16, .buckets = 256, .sub_buckets = 65536, .keys = kLocalKeys},
    Listed{.number = 2, .shift = 14, .buckets = 16384, .sub_buckets = 65536, .keys = kLocalKeys}};
constexpr std::uint64_t kIdleKeys = 1 << 24;

Settings list_settings(hybrid_radix::Lists lists) {
  Settings settings = hybrid_radix::table3(4, 0);
  settings.local_keys = kLocalKeys;
  settings.merge_keys = 1;  // merging is considered, but no two neighbours merge
  settings.lists = lists;
  return settings;
}

/// The probe of one kernel for each of kListed.
class ListProbes {
 public:
  ListProbes(Rounds& rounds, DeviceBench& bench) : rounds_(rounds), bench_(bench) {}

  void add() {
    for (const Listed& listed : kListed) {
      const auto passes = std::make_shared<Passes>(bench_, list_settings(hybrid_radix::Lists::device), listed.n());
      const int number = listed.number;
      const auto clear = [=](cudaStream_t stream) { passes->passes().clear(passes->pass(number), stream); };
      const auto count = [=](cudaStream_t stream) { passes->count(number, stream); };
      const auto sum = [=](cudaStream_t stream) { passes->passes().prefix(passes->pass(number), stream); };
      const auto list = [=](cudaStream_t stream) { passes->passes().assign(passes->pass(number), stream); };
      const auto count_and_sum = [=](cudaStream_t stream) {
        count(stream);
        sum(stream);
      };
      add_one("hybrid.list", point(listed.buckets, listed.sub_buckets), passes, listed, count_and_sum, list);
      add_on_host(listed);
      if (listed.sub_buckets == 1) continue;  // equivalent for the other kernels
      add_one(
          "hybrid.clear", point(listed.buckets), passes, listed, [](cudaStream_t) {}, clear);
      add_one("hybrid.sum", point(listed.buckets), passes, listed, count, sum);
    }
    add_idle();
  }

 private:
  template <class Before, class Timed>
  void add_one(const char* table, std::vector<double> at, const std::shared_ptr<Passes>& passes, const Listed& listed,
               const Before& before, const Timed& timed) {
    rounds_.add(table, std::move(at), [=] {
      passes->make({.buckets = listed.sub_buckets, .shift = listed.shift});
      const auto prepare = [&](cudaStream_t stream) {
        passes->run_to(listed.number, stream);
        before(stream);
      };
      return passes->seconds_after(prepare, timed, listed.number == 0 ? kShortTimes : 1);
    });
  }

  void add_on_host(const Listed& listed) {
    const auto passes = std::make_shared<Passes>(bench_, list_settings(hybrid_radix::Lists::host), listed.n());
    rounds_.add("hybrid.host_lists", point(listed.buckets, listed.sub_buckets), [=, &bench = bench_] {
      const cudaStream_t stream = bench.stream();
      const auto pass = passes->pass(listed.number);
      passes->make({.buckets = listed.sub_buckets, .shift = listed.shift});
      passes->run_to(listed.number, stream);
      passes->count(listed.number, stream);
      passes->passes().prefix(pass, stream);
      check(cudaStreamSynchronize(stream));
      const auto begin = RawClock::now();
      passes->passes().assign(pass, stream);  // waits for the device if lists are made on the host
      return std::chrono::duration<double>(RawClock::now() - begin).count();
    });
  }

  void add_idle() {
    const auto passes = std::make_shared<Passes>(bench_, list_settings(hybrid_radix::Lists::device), kIdleKeys);
    const double blocks = std::ceil(static_cast<double>(kIdleKeys) / passes->passes().settings().block_keys);
    const auto add = [&](const char* table, std::vector<double> at, auto launch) {
      rounds_.add(table, std::move(at), [=] {
        return passes->idle_seconds(
            2, [&](cudaStream_t stream) { launch(passes->passes(), passes->pass(kIdlePass), stream); });
      });
    };
    add("hybrid.begin", point(blocks), [](auto& of, const auto&, cudaStream_t stream) { of.begin(stream); });
    add("hybrid.clear", point(0), [](auto& of, const auto& pass, cudaStream_t stream) { of.clear(pass, stream); });
    add("hybrid.sum", point(0), [](auto& of, const auto& pass, cudaStream_t stream) { of.prefix(pass, stream); });
    add("hybrid.list", point(0, 0), [](auto& of, const auto& pass, cudaStream_t stream) { of.assign(pass, stream); });
  }

  Rounds& rounds_;
  DeviceBench& bench_;
};

}  // namespace

void add_list_probes(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("hybrid.begin", "s", "MB8: counters cleared, the input listed as one bucket of so many blocks",
                 {"blocks"});
  rounds.declare("hybrid.clear", "s", "MB8: the counters of so many buckets cleared", {"buckets"});
  rounds.declare("hybrid.sum", "s", "MB8: the histograms of so many buckets summed up", {"buckets"});
  rounds.declare("hybrid.list", "s", "MB8: listing the sub-buckets of so many buckets: so many in all",
                 {"buckets", "listed"});
  rounds.declare("hybrid.host_lists", "s", "MB8: the same by the host, with its copies and waits",
                 {"buckets", "listed"});
  ListProbes{rounds, bench}.add();
}

}  // namespace sortlab::calibration

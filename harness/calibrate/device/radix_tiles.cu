#include "harness/calibrate/device/radix_tiles.hpp"

#include <algorithm>
#include <memory>

#include "algorithms/common/cuda/digit_counters.cuh"
#include "harness/calibrate/device/tile_probe.hpp"

namespace sortlab::calibration {
namespace {

/// Elements of one sample in bytes: some 0.2 to 1 ms, and 20 waves of blocks or more on 132 multiprocessors.
constexpr std::size_t kSample = 512 * MiB;

std::vector<double> with(std::vector<double> at, int entropy) {
  at.push_back(entropy);
  return at;
}

/// One digit only, all of them, and between.
std::vector<int> entropies_of(int digit_bits, bool quick) {
  if (quick || digit_bits < 4) return {0, digit_bits};
  return {0, 2, digit_bits};
}

void add_counter_scan(Rounds& rounds, DeviceBench& bench) {
  rounds.declare(
      "tile.counter_scan", "s",
      "MB8: the library's prefix sum over so many counters of 4 bytes into offsets of 8 bytes, as radix sorts "
      "use it",
      {"counters"});
  for (int log = 10; log <= 26; log += bench.quick ? 4 : 2) {
    const std::uint64_t count = std::uint64_t{1} << log;
    const auto counters = std::make_shared<DigitCounters>(1, count);
    check(cudaMemsetAsync(counters->counts(), 0, (count + 1) * sizeof(std::uint32_t), bench.stream()));
    const auto scan = [counters](cudaStream_t stream) { counters->scan(stream); };
    bench.seconds_of(scan);  // so that it is loaded
    rounds.add("tile.counter_scan", point(count), [&bench, scan, log] {
      if (log <= 20) return bench.seconds_of_one_more(scan);
      return bench.seconds_of(scan);
    });
  }
}

}  // namespace

unsigned blocks_of(const DeviceBench& bench) {
  unsigned blocks = 16;
  while (bench.multiprocessors % blocks != 0) --blocks;
  return blocks;
}

void declare_radix_tiles(Rounds& rounds, const std::string& name, const std::string& what,
                         std::vector<std::string> arguments, bool has_entropy) {
  declare_alone(rounds, name, arguments);
  if (has_entropy) arguments.emplace_back("entropy");
  rounds.declare(
      "tile." + name, "cycles/element",
      "MB8: " + what + ", elements from registers" + (has_entropy ? ", digits of so many bits of entropy" : ""),
      std::move(arguments));
}

void add_radix_tiles(Rounds& rounds, DeviceBench& bench, const RadixTiles& tiles) {
  const unsigned blocks = blocks_of(bench);
  const auto work = [launch = tiles.launch](unsigned times, int entropy) -> DeviceBench::Work {
    return [=](cudaStream_t stream) { launch(stream, times, entropy); };
  };
  bench.seconds_of(work(1, tiles.digit_bits));

  const auto times = static_cast<unsigned>(kSample / tiles.element_bytes / tiles.elements / blocks);
  const std::int64_t elements = std::int64_t{times} * blocks * tiles.elements;
  const auto add = [&](std::vector<double> at, int entropy) {
    rounds.add("tile." + tiles.name, std::move(at), [&bench, elements, launches = work(times, entropy)] {
      return cycles_an_element(bench, elements, launches);
    });
  };
  if (tiles.digit_bits == 0) add(tiles.at, 0);
  if (tiles.digit_bits != 0) {
    for (const int entropy : entropies_of(tiles.digit_bits, bench.quick)) add(with(tiles.at, entropy), entropy);
  }

  add_alone(rounds, bench, tiles.name, tiles.at, tiles.threads,
            [launch = tiles.launch, blocks, entropy = tiles.digit_bits](cudaStream_t stream, unsigned all) {
              launch(stream, all / blocks, entropy);
            });
}

void add_radix_tile_probes(Rounds& rounds, DeviceBench& bench) {
  add_split_radix_tiles(rounds, bench);
  add_split_radix_2009_tiles(rounds, bench);
  add_implicit_radix_tiles(rounds, bench);
  add_four_way_radix_tiles(rounds, bench);
  add_counter_scan(rounds, bench);
}

}  // namespace sortlab::calibration

#include "algorithms/common/cuda/radix_tiles.hpp"

#include "algorithms/common/cuda/tile_probe.hpp"

namespace sortlab::calibration {
namespace {

/// Size of the elements of one sample in bytes: takes about 0.2 to 1 ms, and 20 waves of blocks or more on 132
/// multiprocessors.
constexpr std::size_t kSample = 512 * MiB;

std::vector<double> with(std::vector<double> at, int entropy) {
  at.push_back(entropy);
  return at;
}

/// Measured entropies: one digit only, all digits, and values between.
std::vector<int> measured_entropies(int digit_bits, bool quick) {
  if (quick || digit_bits < 4) return {0, digit_bits};
  return {0, 2, digit_bits};
}

}  // namespace

unsigned block_count(const DeviceBench& bench) {
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
      "MB8: " + what + ", elements from registers" + (has_entropy ? "; entropy: of the digits, in bits" : ""),
      std::move(arguments));
}

void add_radix_tiles(Rounds& rounds, DeviceBench& bench, const RadixTiles& tiles) {
  const unsigned blocks = block_count(bench);
  const auto work = [launch = tiles.launch](unsigned times, int entropy) -> DeviceBench::Work {
    return [=](cudaStream_t stream) { launch(stream, times, entropy); };
  };
  bench.time_launches(work(1, tiles.digit_bits));

  const auto times = static_cast<unsigned>(kSample / tiles.element_bytes / tiles.elements / blocks);
  const std::int64_t elements = std::int64_t{times} * blocks * tiles.elements;
  const auto add = [&](std::vector<double> at, int entropy) {
    rounds.add("tile." + tiles.name, std::move(at), [&bench, elements, launches = work(times, entropy)] {
      return cycles_per_element(bench, elements, launches);
    });
  };
  if (tiles.digit_bits == 0) add(tiles.at, 0);
  if (tiles.digit_bits != 0) {
    for (const int entropy : measured_entropies(tiles.digit_bits, bench.quick)) add(with(tiles.at, entropy), entropy);
  }

  add_alone(rounds, bench, tiles.name, tiles.at, tiles.threads,
            [launch = tiles.launch, blocks, entropy = tiles.digit_bits](cudaStream_t stream, unsigned all) {
              launch(stream, all / blocks, entropy);
            });
}

}  // namespace sortlab::calibration

// Probes of the tile primitives of multisplit_radix: its steps 1 and 3 with elements from registers, and their resident
// blocks per multiprocessor.
#include <memory>

#include "algorithms/common/cuda/radix_tiles.hpp"
#include "algorithms/common/cuda/register_memory.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/multisplit_radix/histogram.cuh"
#include "algorithms/multisplit_radix/scatter.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::calibration {
namespace {

using namespace multisplit;

using Memory = RegisterMemory<QuadraticWords, true>;

/// Tiles of synthetic keys whose highest digit is the bucket.
template <class Word>
Tiles<Word, Memory> made_tiles(int bits, int entropy, std::uint64_t tiles, std::uint32_t tile) {
  return {.keys = Memory::Source<Word>{digit_mask<Word>(bits, entropy, Keep::lowest)},
          .n = tiles * tile,
          .tiles = tiles,
          .counts = {},
          .bucket = {key_order<Word>(), 8 * static_cast<int>(sizeof(Word)) - bits, bits}};
}

/// Arguments of a point: those of the kernel, and of the elements.
template <class... Bytes>
std::vector<double> at(const Shape& shape, int bits, Bytes... bytes) {
  return point(shape.level == Level::warp, shape.counters == Counters::shared, shape.threads, shape.items, bits,
               bytes...);
}

template <class Word, class V>
void add_shape(Rounds& rounds, DeviceBench& bench, const Shape& shape, int bits) {
  const std::uint32_t blocks = block_count(bench), elements = shape.tile() * shape.tiles_per_block();
  const std::uint64_t tiles = std::uint64_t{blocks} * shape.tiles_per_block();
  const auto threads = static_cast<unsigned>(shape.threads);
  // No element is stored, so all may have the same position.
  const auto offsets = std::make_shared<DeviceMemory>((tiles * kOffsetBytes) << bits);
  check(cudaMemset(offsets->data(), 0, offsets->size()));
  const auto add = [&](const char* name, std::vector<double> where, std::size_t bytes, auto launch) {
    add_radix_tiles(rounds, bench,
                    {.name = name,
                     .at = std::move(where),
                     .digit_bits = bits,
                     .threads = threads,
                     .elements = elements,
                     .element_bytes = static_cast<int>(bytes),
                     .launch = launch});
  };
  const auto add_resident = [&](const char* name, std::vector<double> where, auto* kernel, std::uint32_t bytes) {
    const int resident = bench.resident_blocks(kernel, shape.threads, bytes);
    rounds.add(name, std::move(where), [=] { return static_cast<double>(resident); });
  };

  constexpr std::uint32_t key = sizeof(Word), value = kValueBytes<V>;
  if constexpr (value == 0) {
    add("multisplit_histogram", at(shape, bits, key), key, [=](cudaStream_t stream, unsigned times, int entropy) {
      launch_histogram(made_tiles<Word>(bits, entropy, tiles, shape.tile()), shape, stream, times);
    });
    with_histogram_kernel<Word, Memory>(shape, bits, [&](auto* kernel) {
      add_resident("resident.multisplit_histogram", at(shape, bits, key), kernel, histogram_bytes(shape, bits));
    });
  }
  add("multisplit_scatter", at(shape, bits, key, value), key + value,
      [=](cudaStream_t stream, unsigned times, int entropy) {
        launch_scatter(Pass<Word, V, Memory>{.input = made_tiles<Word>(bits, entropy, tiles, shape.tile()),
                                             .values = {},
                                             .keys_out = {},
                                             .values_out = {},
                                             .offsets = offsets->data<std::uint64_t>()},
                       shape, stream, times);
      });
  const std::uint32_t bytes = scatter_bytes(shape, bits, key + value);
  with_scatter_kernel<Word, V, Memory>(shape, bits, [&](auto* kernel) {
    allow_shared_memory(kernel, bytes);
    add_resident("resident.multisplit_scatter", at(shape, bits, key, value), kernel, bytes);
  });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string sort = "multisplit_radix: ";
  const std::vector<std::string> of_keys{"warp_level", "shared_counters", "threads",
                                         "items",      "digit_bits",      "key_bytes"};
  std::vector<std::string> of_pairs = of_keys;
  of_pairs.emplace_back("value_bytes");
  declare_radix_tiles(rounds, "multisplit_histogram", sort + "step 1, histogram over buckets", of_keys, true);
  declare_radix_tiles(rounds, "multisplit_scatter", sort + "step 3, ordering a tile by bucket, with output positions",
                      of_pairs, true);
  const std::string resident = "resident blocks per multiprocessor, limited by threads, registers and shared memory: ";
  rounds.declare("resident.multisplit_histogram", "blocks", resident + "step 1", of_keys);
  rounds.declare("resident.multisplit_scatter", "blocks", resident + "step 3", of_pairs);
  for_tile_types([&]<class Word, class V>() {
    for_calibrated(sizeof(Word), [&](const Shape& shape, int bits) { add_shape<Word, V>(rounds, bench, shape, bits); });
  });
}

const RegisterProbe registered{DeviceProbe{"multisplit_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

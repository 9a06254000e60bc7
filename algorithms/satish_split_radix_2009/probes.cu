// Tile primitives of satish_split_radix_2009: its steps 1, 2 and 4.
#include "algorithms/common/cuda/radix_tiles.hpp"
#include "algorithms/common/cuda/register_memory.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/satish_split_radix_2009/kernels.cuh"

namespace sortlab::calibration {
namespace {

using namespace split_radix_2009;

template <bool kMasked>
using Random = RegisterMemory<QuadraticWords, kMasked>;
template <bool kMasked>
using Sorted = RegisterMemory<AscendingTiles, kMasked>;

// Of the preset paper.
constexpr int kDigitBits = 4;
constexpr int kItems = 4;
constexpr unsigned kThreads = 256;
constexpr std::uint32_t kTile = kThreads * kItems;
static_assert(kTile == AscendingTiles::kTile);
constexpr std::uint32_t kDigits = 1 << kDigitBits;

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  const unsigned blocks = blocks_of(bench);
  const std::uint64_t n = std::uint64_t{blocks} * kTile;
  const Digit<Word> digit{key_order<Word>(), 8 * static_cast<int>(sizeof(Word)) - kDigitBits, kDigitBits};
  const auto add = [&](const char* name, std::vector<double> at, bool has_entropy, auto launch) {
    add_radix_tiles(rounds, bench,
                    {.name = name,
                     .at = std::move(at),
                     .digit_bits = has_entropy ? kDigitBits : 0,
                     .threads = kThreads,
                     .elements = kTile,
                     .element_bytes = static_cast<int>(sizeof(Word) + value_bytes<V>()),
                     .launch = [=](cudaStream_t stream, unsigned times, int entropy) {
                       launch(stream, dim3{blocks, times}, entropy);
                       check_launch();
                     }});
  };

  // Calls with whether a mask is needed for so much entropy.
  const auto with_mask = [](int entropy, auto call) {
    entropy < kDigitBits ? call(std::true_type{}) : call(std::false_type{});
  };
  add("split_2009", point(sizeof(Word), value_bytes<V>()), true, [=](cudaStream_t stream, dim3 grid, int entropy) {
    with_mask(entropy, [&]<bool kMasked>(std::bool_constant<kMasked>) {
      const std::uint32_t bytes = sort_tiles_bytes<kItems, Word, V>(kThreads);
      const auto kernel = sort_tiles<kItems, Word, V, Random<kMasked>>;
      check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
      const Source<Random<kMasked>, Word> keys{digit_mask<Word>(kDigitBits, entropy, Keep::lowest)};
      kernel<<<grid, kThreads, bytes, stream>>>(keys, {}, {}, {}, n, digit);
    });
  });
  if constexpr (value_bytes<V>() == 0) {
    add("find_offsets", point(sizeof(Word)), true, [=](cudaStream_t stream, dim3 grid, int entropy) {
      with_mask(entropy, [&]<bool kMasked>(std::bool_constant<kMasked>) {
        const Source<Sorted<kMasked>, Word> keys{digit_mask<Word>(kDigitBits, entropy, Keep::highest)};
        find_offsets<Word, Sorted<kMasked>>
            <<<grid, kThreads, find_offsets_bytes(kDigits, kTile), stream>>>(keys, n, kItems, digit, {}, {});
      });
    });
  }
  add("scatter_runs", point(sizeof(Word), value_bytes<V>()), false, [=](cudaStream_t stream, dim3 grid, int) {
    scatter_runs<Word, V, Sorted<false>>
        <<<grid, kThreads, scatter_runs_bytes(kDigits), stream>>>({}, {}, {}, {}, n, kItems, digit, {}, {});
  });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string sort = "satish_split_radix_2009: ";
  const std::string shape = ", tiles of 256 x 4, digits of 4 bits";
  declare_radix_tiles(rounds, "split_2009", sort + "step 1, tiles sorted" + shape, {"key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "find_offsets", sort + "step 2, where digits start" + shape, {"key_bytes"}, true);
  declare_radix_tiles(rounds, "scatter_runs", sort + "step 4, places of sorted tiles" + shape,
                      {"key_bytes", "value_bytes"}, false);
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
}

const RegisterProbe registered{DeviceProbe{"satish_split_radix_2009", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

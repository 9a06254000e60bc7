// Probes of the tile primitives of satish_split_radix_2009: its steps 1, 2 and 4, in the shapes of its presets.
#include <bit>
#include <string>
#include <utility>

#include "algorithms/common/cuda/radix_tiles.hpp"
#include "algorithms/common/cuda/register_memory.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/satish_split_radix_2009/kernels.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::calibration {
namespace {

using namespace split_radix_2009;

template <bool kMasked>
using Random = RegisterMemory<QuadraticWords, kMasked>;

/// The names of a preset's tables.
struct Tables {
  const char* sort;
  const char* find;
  const char* scatter;
};
constexpr Tables kPapersTables{.sort = "split_2009", .find = "find_offsets", .scatter = "scatter_runs"};
constexpr Tables kTunedTables{
    .sort = "split_2009_tuned", .find = "find_offsets_tuned", .scatter = "scatter_runs_tuned"};

template <Setting kSetting, class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench, const Tables& tables) {
  constexpr int kDigitBits = kSetting.digit_bits;
  constexpr int kItems = kSetting.items;
  constexpr unsigned kThreads = kSetting.threads;
  constexpr std::uint32_t kTile = kSetting.tile();
  constexpr std::uint32_t kDigits = 1 << kDigitBits;
  static_assert(std::has_single_bit(kTile), "ascending words fill tiles of a power of two");
  using SortedKeys = RegisterMemory<Ascending<kTile>, false>;
  using MaskedKeys = RegisterMemory<Ascending<kTile>, true>;

  const unsigned blocks = block_count(bench);
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

  // Calls `call(true_type or false_type)`: true if the entropy needs a mask.
  const auto with_mask = [](int entropy, auto call) {
    entropy < kDigitBits ? call(std::true_type{}) : call(std::false_type{});
  };
  add(tables.sort, point(sizeof(Word), value_bytes<V>()), true, [=](cudaStream_t stream, dim3 grid, int entropy) {
    with_mask(entropy, [&]<bool kMasked>(std::bool_constant<kMasked>) {
      const std::uint32_t bytes = sort_tiles_bytes<kItems, Word, V>(kThreads);
      const auto kernel = sort_tiles<kItems, Word, V, Random<kMasked>>;
      allow_shared_memory(kernel, bytes);
      const Source<Random<kMasked>, Word> keys{digit_mask<Word>(kDigitBits, entropy, Keep::lowest)};
      kernel<<<grid, kThreads, bytes, stream>>>(keys, {}, {}, {}, n, digit);
    });
  });
  if constexpr (value_bytes<V>() == 0) {
    add(tables.find, point(sizeof(Word)), true, [=](cudaStream_t stream, dim3 grid, int entropy) {
      with_mask(entropy, [&]<bool kMasked>(std::bool_constant<kMasked>) {
        using Memory = std::conditional_t<kMasked, MaskedKeys, SortedKeys>;
        const Source<Memory, Word> keys{digit_mask<Word>(kDigitBits, entropy, Keep::highest)};
        find_offsets<Word, Memory>
            <<<grid, kThreads, find_offsets_bytes(kDigits, kTile), stream>>>(keys, n, kItems, digit, {}, {});
      });
    });
  }
  add(tables.scatter, point(sizeof(Word), value_bytes<V>()), false, [=](cudaStream_t stream, dim3 grid, int) {
    scatter_runs<Word, V, SortedKeys>
        <<<grid, kThreads, scatter_runs_bytes(kDigits), stream>>>({}, {}, {}, {}, n, kItems, digit, {});
  });
}

template <Setting kSetting>
void add_preset(Rounds& rounds, DeviceBench& bench, const Tables& tables) {
  const std::string sort = "satish_split_radix_2009: ";
  const std::string shape = ", tiles of " + std::to_string(kSetting.threads) + " x " + std::to_string(kSetting.items) +
                            ", digits of " + std::to_string(kSetting.digit_bits) + " bits";
  declare_radix_tiles(rounds, tables.sort, sort + "step 1, tiles sorted" + shape, {"key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, tables.find, sort + "step 2, starts of digits" + shape, {"key_bytes"}, true);
  declare_radix_tiles(rounds, tables.scatter, sort + "step 4, output positions of sorted tiles" + shape,
                      {"key_bytes", "value_bytes"}, false);
  for_tile_types([&]<class K, class V>() { add_types<kSetting, K, V>(rounds, bench, tables); });
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  add_preset<kPaper>(rounds, bench, kPapersTables);
  add_preset<kTuned>(rounds, bench, kTunedTables);
}

const RegisterProbe registered{DeviceProbe{"satish_split_radix_2009", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

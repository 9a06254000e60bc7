// Probes of the tile primitives of satish_split_radix, steps 1 and 3; and of step 2, the prefix sum over counters.
#include <memory>

#include "algorithms/common/cuda/digit_counters.cuh"
#include "algorithms/common/cuda/radix_tiles.hpp"
#include "algorithms/common/cuda/register_memory.cuh"
#include "algorithms/common/cuda/tile_input.cuh"
#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/plugin.hpp"
#include "algorithms/satish_split_radix/ballot_scatter.cuh"
#include "algorithms/satish_split_radix/buffer_scatter.cuh"
#include "algorithms/satish_split_radix/fused_scatter.cuh"
#include "algorithms/satish_split_radix/histogram.cuh"
#include "algorithms/satish_split_radix/vertical_scatter.cuh"

namespace sortlab::calibration {
namespace {

using namespace split_radix;

constexpr int kDigitBits = 4;
constexpr int kWarps = 4;           ///< warps per block of both presets
constexpr int kVerticalItems = 13;  ///< items of the preset `paper`

/// Items per thread if warps sort: items=auto for the types of these probes, for which kernels are compiled.
template <class Word, class V>
inline constexpr int kAutomaticItems = sizeof(Word) + kValueBytes<V> <= 8 ? 48 : 24;

template <class Word, class V>
void check_automatic_items() {
  const Problem problem{.key = sizeof(Word) == 4 ? KeyType::u32 : KeyType::u64,
                        .value = !kHasValue<V>         ? ValueType::none
                                 : kValueBytes<V> == 4 ? ValueType::u32
                                                       : ValueType::u64};
  const auto items = algorithm_named("satish_split_radix").automatic("items", problem, {});
  if (items != Value{std::int64_t{kAutomaticItems<Word, V>}}) throw std::logic_error("items=auto is another");
}

template <class Word>
Digit<Word> highest_digit(int bits) {
  return {key_order<Word>(), 8 * static_cast<int>(sizeof(Word)) - bits, bits};
}

/// A pass over some tiles of synthetic keys, with the counters of these keys.
template <class Word, class V, class Memory>
class MadePass {
 public:
  MadePass(int digit_bits, int entropy, std::uint32_t tile, std::uint64_t tiles)
      : keys_(digit_mask<Word>(digit_bits, entropy, Keep::lowest)),
        tile_(tile),
        tiles_(tiles),
        digit_(highest_digit<Word>(digit_bits)) {
    std::vector<std::uint64_t> offsets((tiles << digit_bits) + 1);
    for (std::uint64_t i = 0; i < tiles * tile; ++i) {
      ++offsets[(keys_[i] >> digit_.shift()) * tiles + i / tile + 1];
    }
    for (std::size_t i = 1; i < offsets.size(); ++i) offsets[i] += offsets[i - 1];
    offsets_ = DeviceMemory{offsets.size() * sizeof(std::uint64_t)};
    check(cudaMemcpy(offsets_.data(), offsets.data(), offsets_.size(), cudaMemcpyHostToDevice));
  }

  Pass<Word, V, Memory> operator()() const {
    return {.keys = keys_,
            .values = {},
            .keys_out = {},
            .values_out = {},
            .n = tiles_ * tile_,
            .tiles = tiles_,
            .counts = {},
            .offsets = offsets_.data<std::uint64_t>(),
            .digit = digit_};
  }

 private:
  typename Memory::template Source<Word> keys_;
  std::uint64_t tile_;
  std::uint64_t tiles_;
  Digit<Word> digit_;
  DeviceMemory offsets_;
};

/// Condition for a mask that removes bits from synthetic keys: never, if the entropy is less than the digit's, or
/// always.
enum class Mask { never, for_less, always };

/// Adds points of the kernel that `launch(pass, shape, stream)` launches on one kind of words.
template <class Word, class V, class Words, Mask kMask, class Launch>
void add(Rounds& rounds, DeviceBench& bench, const std::string& name, std::vector<double> at, const Shape& shape,
         int digit_bits, Launch launch) {
  const auto tiles_per_block = static_cast<unsigned>(shape.warps / shape.tile_warps());
  const std::uint32_t tiles = block_count(bench) * tiles_per_block;
  constexpr bool kHasEntropy = kMask != Mask::never;
  const auto make = [&]<bool kMasked>(std::bool_constant<kMasked>, int entropy) {
    return std::make_shared<MadePass<Word, V, RegisterMemory<Words, kMasked>>>(digit_bits, entropy, shape.tile(),
                                                                               tiles);
  };
  const auto whole = make(std::bool_constant<kMask == Mask::always>{}, digit_bits);
  std::vector<decltype(make(std::true_type{}, 0))> masked;  // one per entropy
  for (int entropy = 0; kHasEntropy && entropy < digit_bits; ++entropy) {
    masked.push_back(make(std::true_type{}, entropy));
  }
  add_radix_tiles(rounds, bench,
                  {.name = name,
                   .at = std::move(at),
                   .digit_bits = kHasEntropy ? digit_bits : 0,
                   .threads = static_cast<unsigned>(shape.warps * split_radix::kWarp),
                   .elements = shape.tile() * tiles_per_block,
                   .element_bytes = static_cast<int>(sizeof(Word) + kValueBytes<V>),
                   .launch = [=](cudaStream_t stream, unsigned times, int entropy) {
                     Shape repeated = shape;
                     repeated.times = times;
                     if constexpr (kHasEntropy) {
                       if (entropy < digit_bits) {
                         return launch((*masked[static_cast<std::size_t>(entropy)])(), repeated, stream);
                       }
                     }
                     launch((*whole)(), repeated, stream);
                   }});
}

template <class Word, class V>
void add_types(Rounds& rounds, DeviceBench& bench) {
  constexpr auto key = sizeof(Word);
  constexpr auto value = kValueBytes<V>;
  const Shape vertical{.split = Split::vertical, .items = kVerticalItems, .warps = kWarps};
  constexpr int items = kAutomaticItems<Word, V>;
  check_automatic_items<Word, V>();
  const Shape fused{.split = Split::fused, .items = items, .warps = kWarps};
  const Shape ballot{.split = Split::ballot, .items = items, .warps = kWarps};

  const auto count = [](const auto& pass, const Shape& shape, cudaStream_t stream) {
    count_digits(pass, shape, stream);
  };
  add<Word, V, LinearWords, Mask::never>(rounds, bench, "count_bytes", point(1, kVerticalItems, key, value), vertical,
                                         kDigitBits, count);
  add<Word, V, LinearWords, Mask::never>(rounds, bench, "count_bytes", point(0, items, key, value), fused, kDigitBits,
                                         count);

  const bool all_digits = key == 4 && value == 0;
  for (const int bits : {1, 2, 4, 8}) {
    if (bits != kDigitBits && !all_digits) continue;
    add<Word, V, QuadraticWords, Mask::for_less>(
        rounds, bench, "split_vertical", point(bits, kVerticalItems, kWarps * split_radix::kWarp, key, value), vertical,
        bits, [](const auto& pass, const Shape& shape, cudaStream_t stream) {
          vertical::launch<kVerticalItems>(pass, shape, stream);
        });
  }
  // Without a mask the compiler generates all 4-byte words of a tile at once, in so many registers that fewer blocks
  // are resident.
  constexpr Mask mask = key + value == 4 ? Mask::always : Mask::for_less;
  add<Word, V, QuadraticWords, mask>(
      rounds, bench, "split_ballot", point(kDigitBits, items, key, value), ballot, kDigitBits,
      [](const auto& pass, const Shape& shape, cudaStream_t stream) { ballots::launch<items>(pass, shape, stream); });
  const Shape buffers{.split = Split::buffers, .items = items, .warps = kWarps};
  add<Word, V, QuadraticWords, Mask::for_less>(
      rounds, bench, "split_buffers", point(kDigitBits, items, key, value), buffers, kDigitBits,
      [](const auto& pass, const Shape& shape, cudaStream_t stream) { buffers::launch(pass, shape, stream); });
  const auto kernel = buffers::scatter_tiles<Word, V, GlobalMemory>;
  const int resident =
      bench.resident_blocks(kernel, kWarps * split_radix::kWarp, shared_bytes(buffers, 1u << kDigitBits, key, value));
  rounds.add("resident.split_buffers", point(kDigitBits, items, key, value),
             [=] { return static_cast<double>(resident); });
  for (const int bits : {4, 5}) {
    add<Word, V, QuadraticWords, Mask::for_less>(
        rounds, bench, "split_fused", point(bits, items, key, value), fused, bits,
        [](const auto& pass, const Shape& shape, cudaStream_t stream) { fused::launch<false>(pass, shape, stream); });
  }
}

void add_counter_scan(Rounds& rounds, DeviceBench& bench) {
  rounds.declare("tile.counter_scan", "s",
                 "MB8: the library's prefix sum over 4-byte counters into 8-byte offsets, as radix sorts use it",
                 {"counters"});
  for (int log = 10; log <= 26; log += bench.quick ? 4 : 2) {
    const std::uint64_t count = std::uint64_t{1} << log;
    const auto counters = std::make_shared<DigitCounters>(1, count);
    check(cudaMemsetAsync(counters->counts(), 0, (count + 1) * sizeof(std::uint32_t), bench.stream()));
    const auto scan = [counters](cudaStream_t stream) { counters->scan(stream); };
    bench.time_launches(scan);  // loads the kernel
    rounds.add("tile.counter_scan", point(count), [&bench, scan, log] {
      if (log <= 20) return bench.time_one_more(scan);
      return bench.time_launches(scan);
    });
  }
}

void add_probes(Rounds& rounds, DeviceBench& bench) {
  const std::string sort = "satish_split_radix: ";
  declare_radix_tiles(rounds, "count_bytes",
                      sort + "step 1, histogram of 4-bit digits, a tile per block (together: 1) or per warp (0)",
                      {"together", "items", "key_bytes", "value_bytes"}, false);
  declare_radix_tiles(rounds, "split_vertical", sort + "step 3, split=vertical",
                      {"digit_bits", "items", "threads", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "split_ballot", sort + "step 3, split=ballot",
                      {"digit_bits", "items", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "split_fused", sort + "step 3, split=fused",
                      {"digit_bits", "items", "key_bytes", "value_bytes"}, true);
  declare_radix_tiles(rounds, "split_buffers", sort + "step 3, split=buffers",
                      {"digit_bits", "items", "key_bytes", "value_bytes"}, true);
  rounds.declare("resident.split_buffers", "blocks",
                 sort + "resident blocks per multiprocessor of step 3, split=buffers",
                 {"digit_bits", "items", "key_bytes", "value_bytes"});
  for_tile_types([&]<class K, class V>() { add_types<K, V>(rounds, bench); });
  add_counter_scan(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"satish_split_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration

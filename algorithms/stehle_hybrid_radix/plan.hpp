// Plan of the sort, read by the sort and its model: the settings that have kernels, Table 3's rows, the bounds of
// section 4.5 on buckets and blocks, and the resulting memory.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "core/choice.hpp"
#include "core/host_device.hpp"

namespace sortlab::hybrid_radix {

inline constexpr int kMaxDigitBits = 8;
inline constexpr int kMinThreads = 256;            ///< minimum threads of a block: one per digit value
inline constexpr int kMaxThreads = 1024;           ///< maximum threads of a block
inline constexpr int kRun = 9;                     ///< digits that a thread sorts at once (section 4.3)
inline constexpr std::uint32_t kHotShare = 3;      ///< a digit of more than a third of a block is hot (authors' code)
inline constexpr std::uint32_t kMergeKeys = 3000;  ///< the merge threshold of section 4.5
inline constexpr int kMaxClasses = 9;              ///< maximum number of size classes of local sorts
inline constexpr std::uint32_t kWideOffsets = 8;
inline constexpr std::uint64_t kMaxNarrowElements = 0xFFFFFFFF;  ///< maximum number of elements with 32-bit offsets

/// Parameters of the preset `paper`: every choice of the paper, so that ablations differ from it in one value; 0 stands
/// for Table 3's row.
inline constexpr std::array<std::pair<const char*, const char*>, 12> kPaper{{{"digit_bits", "8"},
                                                                             {"threads", "0"},
                                                                             {"items", "0"},
                                                                             {"block_keys", "0"},
                                                                             {"local_keys", "0"},
                                                                             {"merge_keys", "3000"},
                                                                             {"classes", "all"},
                                                                             {"staging", "reused"},
                                                                             {"look_ahead", "2"},
                                                                             {"thread_reduction", "yes"},
                                                                             {"lists", "device"},
                                                                             {"local_sort", "block_radix"}}};

enum class Lists : std::uint8_t { device, host };  ///< place that lists buckets and their blocks after each pass
/// Staging of values: in place of the written keys, or beside the keys
enum class Staging : std::uint8_t { reused, beside };
/// Local sorts: one per size class, the largest for all buckets, or one per size class of the authors' code
enum class Classes : std::uint8_t { all, one, released };
/// Algorithm that sorts a bucket in shared memory.
enum class LocalSort : std::uint8_t {
  block_radix,  ///< the paper's: CUB's LSD radix sort of a block
  ranked,       ///< one partition into about as many bins as keys, then each key's rank in its bin by comparisons
};
inline constexpr std::array kLists{Choice<Lists>{"device", Lists::device}, Choice<Lists>{"host", Lists::host}};
inline constexpr std::array kStagings{Choice<Staging>{"reused", Staging::reused},
                                      Choice<Staging>{"beside", Staging::beside}};
inline constexpr std::array kClasses{Choice<Classes>{"all", Classes::all}, Choice<Classes>{"one", Classes::one},
                                     Choice<Classes>{"released", Classes::released}};
inline constexpr std::array kLocalSorts{Choice<LocalSort>{"block_radix", LocalSort::block_radix},
                                        Choice<LocalSort>{"ranked", LocalSort::ranked}};

/// Threads per block and keys per thread.
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t keys() const { return static_cast<std::uint32_t>(threads * items); }
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// Resolved parameters of the sort.
struct Settings {
  int digit_bits = 8;
  int threads = 384;                      ///< threads of a block that counts or scatters
  int items = 18;                         ///< keys per thread (KPT)
  std::uint32_t block_keys = 6912;        ///< keys per block (KPB), at most threads * items
  std::uint32_t local_keys = 9216;        ///< local-sort threshold: largest bucket that is sorted locally
  std::uint32_t merge_keys = kMergeKeys;  ///< merge threshold: neighbours with fewer keys together are merged; 0: never
  Classes classes = Classes::all;
  Staging staging = Staging::reused;
  bool keeps = true;  ///< keeps block histograms for the scatter; otherwise it counts again (only in a component)
  bool look_ahead = true;
  bool thread_reduction = true;
  Lists lists = Lists::device;
  LocalSort local_sort = LocalSort::block_radix;

  constexpr std::uint32_t digits() const { return 1U << digit_bits; }
  constexpr Shape shape() const { return {threads, items}; }
  friend constexpr bool operator==(const Settings&, const Settings&) = default;
};

/// Shapes of `auto`: fastest of kShapes for 2 GB of uniform, skewed and constant keys on an NVIDIA H200.
constexpr Shape tuned_shape(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  if (value_bytes == 0) return key_bytes == 4 ? Shape{512, 24} : Shape{512, 18};
  return key_bytes + value_bytes == 8 ? Shape{384, 18} : Shape{512, 9};
}

/// Shapes for which a scatter kernel is compiled; the first is Table 3's. 12-byte elements, for which Table 3 has no
/// row, use the row of 16.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kShapes{Shape{256, 9}, Shape{512, 9}, Shape{512, 12}};
template <>
inline constexpr std::array kShapes<4, 0>{Shape{384, 18}, Shape{512, 24}, Shape{512, 36}};
template <>
inline constexpr std::array kShapes<8, 0>{Shape{384, 9}, Shape{512, 18}, Shape{512, 22}};
template <>
inline constexpr std::array kShapes<4, 4>{Shape{384, 18}, Shape{512, 12}, Shape{512, 18}};
/// Shapes for more elements than 32-bit offsets reach: only Table 3's and that of `auto`.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kWideShapes{kShapes<key_bytes, value_bytes>[0], tuned_shape(key_bytes, value_bytes)};

constexpr std::span<const Shape> scatter_shapes(std::uint32_t key_bytes, std::uint32_t value_bytes,
                                                std::uint64_t n = 0) {
  const auto either = [n](std::span<const Shape> narrow, std::span<const Shape> wide) {
    return n <= kMaxNarrowElements ? narrow : wide;
  };
  if (value_bytes == 0 && key_bytes == 4) return either(kShapes<4, 0>, kWideShapes<4, 0>);
  if (value_bytes == 0) return either(kShapes<8, 0>, kWideShapes<8, 0>);
  if (key_bytes + value_bytes == 8) return either(kShapes<4, 4>, kWideShapes<4, 4>);
  return either(kShapes<8, 8>, kWideShapes<8, 8>);
}

/// Size classes, ascending; the last is Table 3's threshold. For keys alone they are those of the authors' code; for
/// pairs they leave out its four smallest for one of 320. The paper names intervals between powers of two as an example
/// (section 4.2). 12-byte elements, for which Table 3 has no row, use the row of 16.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kBlockRadixShapes{Shape{32, 10}, Shape{128, 11}, Shape{128, 15}, Shape{256, 11},
                                              Shape{256, 15}};
template <>
inline constexpr std::array kBlockRadixShapes<4, 0>{Shape{32, 10},  Shape{128, 11}, Shape{128, 15}, Shape{256, 11},
                                                    Shape{256, 15}, Shape{384, 15}, Shape{512, 18}};
template <>
inline constexpr std::array kBlockRadixShapes<8, 0>{Shape{32, 10},  Shape{128, 11}, Shape{128, 15},
                                                    Shape{256, 11}, Shape{256, 15}, Shape{384, 11}};
template <>
inline constexpr std::array kBlockRadixShapes<4, 4>{Shape{32, 10},  Shape{128, 11}, Shape{128, 15},
                                                    Shape{256, 11}, Shape{256, 15}, Shape{384, 15}};

/// Size classes of the authors' code, with its blocks.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kReleasedShapes{Shape{32, 3},   Shape{32, 7},   Shape{64, 7},   Shape{128, 7},
                                            Shape{128, 11}, Shape{128, 15}, Shape{256, 11}, Shape{256, 15}};
template <>
inline constexpr std::array kReleasedShapes<4, 0>{Shape{64, 5},   Shape{128, 11}, Shape{128, 15}, Shape{256, 11},
                                                  Shape{256, 15}, Shape{384, 15}, Shape{512, 18}};
template <>
inline constexpr std::array kReleasedShapes<8, 0>{Shape{64, 5},   Shape{128, 11}, Shape{128, 15},
                                                  Shape{256, 11}, Shape{256, 15}, Shape{384, 11}};
template <>
inline constexpr std::array kReleasedShapes<4, 4>{Shape{32, 3},   Shape{32, 7},   Shape{64, 7},
                                                  Shape{128, 7},  Shape{128, 11}, Shape{128, 15},
                                                  Shape{256, 11}, Shape{256, 15}, Shape{384, 15}};

/// Shapes of the ranked local sort: fewer classes, since its time depends on the number of keys and hardly on a block's
/// capacity.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kRankedShapes{Shape{128, 11}, Shape{256, 11}, Shape{512, 8}};
template <>
inline constexpr std::array kRankedShapes<4, 0>{Shape{256, 11}, Shape{384, 15}, Shape{512, 18}};
template <>
inline constexpr std::array kRankedShapes<8, 0>{Shape{128, 11}, Shape{256, 11}, Shape{512, 9}};
template <>
inline constexpr std::array kRankedShapes<4, 4>{Shape{128, 11}, Shape{256, 11}, Shape{512, 12}};

/// Size classes of a local sort for keys and values of that many bytes.
constexpr std::span<const Shape> local_shapes(LocalSort sort, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto either = [sort](std::span<const Shape> block_radix, std::span<const Shape> ranked) {
    return sort == LocalSort::ranked ? ranked : block_radix;
  };
  if (value_bytes == 0 && key_bytes == 4) return either(kBlockRadixShapes<4, 0>, kRankedShapes<4, 0>);
  if (value_bytes == 0) return either(kBlockRadixShapes<8, 0>, kRankedShapes<8, 0>);
  if (key_bytes + value_bytes == 8) return either(kBlockRadixShapes<4, 4>, kRankedShapes<4, 4>);
  return either(kBlockRadixShapes<8, 8>, kRankedShapes<8, 8>);
}

/// Size classes of the authors' code for keys and values of that many bytes.
constexpr std::span<const Shape> released_shapes(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  if (value_bytes == 0 && key_bytes == 4) return kReleasedShapes<4, 0>;
  if (value_bytes == 0) return kReleasedShapes<8, 0>;
  if (key_bytes + value_bytes == 8) return kReleasedShapes<4, 4>;
  return kReleasedShapes<8, 8>;
}

inline constexpr int kBlockRadixBits = 4;  ///< digit width of CUB's block radix sort
/// Maximum comparisons per key of the ranked local sort for a bucket with `bits` bits left. A bucket that needs more,
/// or is expected to, is left to CUB's sort. On an NVIDIA H200 three comparisons take about as long as a pass of that
/// sort.
SORTLAB_HOST_DEVICE constexpr std::uint32_t max_comparisons(int bits) {
  const int passes = (bits + kBlockRadixBits - 1) / kBlockRadixBits;
  return passes > 8 ? 3 * static_cast<std::uint32_t>(passes) : 24;
}

/// Table 3's row. For 32-bit pairs it prints 3456 keys per block beside 384 threads of 18 keys, which make the 6912 of
/// the authors' code (X9); we use 6912.
constexpr Settings table3(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto row = [](int threads, int items, std::uint32_t local_keys) {
    return Settings{.threads = threads,
                    .items = items,
                    .block_keys = static_cast<std::uint32_t>(threads * items),
                    .local_keys = local_keys};
  };
  if (value_bytes == 0) return key_bytes == 4 ? row(384, 18, 9216) : row(384, 9, 4224);
  return key_bytes + value_bytes == 8 ? row(384, 18, 5760) : row(256, 9, 3840);
}

/// Passes over the digits, most significant first.
struct Passes {
  int key_bits;
  int digit_bits;
  constexpr int count() const { return (key_bits + digit_bits - 1) / digit_bits; }
  /// Number of bits below the digit of pass `pass`; the last digit may be narrower than the others.
  constexpr int shift(int pass) const { return std::max(0, key_bits - (pass + 1) * digit_bits); }
  constexpr int bits(int pass) const { return key_bits - pass * digit_bits - shift(pass); }
};

/// Upper bounds at any time, for any keys (section 4.5). Zero if one local sort takes all n keys.
struct Bounds {
  std::uint64_t buckets;      ///< I1: buckets too large for a local sort
  std::uint64_t blocks;       ///< I4: blocks of those buckets
  std::uint64_t sub_buckets;  ///< I3, without merging I2: sub-buckets of one pass
};
constexpr Bounds list_bounds(const Settings& settings, std::uint64_t n) {
  const std::uint64_t buckets = n / settings.local_keys;
  std::uint64_t sub_buckets = settings.digits() * buckets;
  if (settings.merge_keys > 0) sub_buckets = std::min(sub_buckets, 2 * n / settings.merge_keys + buckets);
  return {.buckets = buckets, .blocks = n / settings.block_keys + buckets, .sub_buckets = sub_buckets};
}

/// Memory besides the input, in bytes (section 4.5, M1 to M5). Offsets and counts have 4 bytes while n allows, 8
/// beyond.
struct Memory {
  std::uint64_t arrays;             ///< M1 without the input: the second set of arrays
  std::uint64_t bucket_histograms;  ///< M2
  std::uint64_t block_histograms;   ///< M3
  std::uint64_t block_lists;        ///< M4, for this pass and the next
  std::uint64_t local_lists;        ///< M5
  constexpr std::uint64_t bookkeeping() const {
    return bucket_histograms + block_histograms + block_lists + local_lists;
  }
};
constexpr std::uint32_t offset_bytes(std::uint64_t n) {
  return n <= kMaxNarrowElements ? 4 : kWideOffsets;
}
constexpr Memory required_memory(const Settings& settings, std::uint64_t n, std::uint32_t element_bytes) {
  const Bounds bounds = list_bounds(settings, n);
  const std::uint64_t offset = offset_bytes(n);
  return {.arrays = n * element_bytes,
          .bucket_histograms = offset * settings.digits() * bounds.buckets,
          .block_histograms = 4 * std::uint64_t{settings.digits()} * bounds.blocks,
          .block_lists = 2 * (2 * offset + 8) * bounds.blocks,
          .local_lists = (offset + 8) * bounds.sub_buckets};
}

/// Size classes of local sorts that a setting launches: those below the threshold, and the first that reaches it.
struct LocalClasses {
  std::array<Shape, kMaxClasses> shapes{};
  int count = 0;
};
constexpr LocalClasses local_size_classes(const Settings& settings, std::uint32_t key_bytes,
                                          std::uint32_t value_bytes) {
  LocalClasses classes;
  const std::span<const Shape> shapes = settings.classes == Classes::released
                                            ? released_shapes(key_bytes, value_bytes)
                                            : local_shapes(settings.local_sort, key_bytes, value_bytes);
  for (const Shape& shape : shapes) {
    const bool last = shape.keys() >= settings.local_keys;
    if (last || settings.classes != Classes::one) classes.shapes[static_cast<std::size_t>(classes.count++)] = shape;
    if (last) break;
  }
  return classes;
}

/// Shared memory of a scattering block, in bytes: its keys and values, and an offset and a counter per digit.
constexpr std::uint32_t scatter_bytes(const Settings& settings, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto padded = [&](std::uint32_t width) { return (settings.block_keys * width + 15) / 16 * 16; };
  const std::uint32_t staged = settings.staging == Staging::beside ? padded(key_bytes) + padded(value_bytes)
                                                                   : padded(std::max(key_bytes, value_bytes));
  return staged + settings.digits() * (kWideOffsets + 4);
}

/// Maximum shared memory of a block, in bytes, for compute capability 9.0
inline constexpr std::uint32_t kSharedMemory = 232448;

/// The reason a setting cannot be launched, or nullopt.
inline std::optional<std::string> declines(const Settings& settings, std::uint32_t key_bytes, std::uint32_t value_bytes,
                                           std::uint64_t n = 0) {
  const std::span<const Shape> shapes = scatter_shapes(key_bytes, value_bytes, n);
  if (std::ranges::find(shapes, settings.shape()) == shapes.end()) {
    std::string reason = "threads x items must be";
    for (const Shape& shape : shapes) {
      reason +=
          (shape == shapes.front() ? " " : ", ") + std::to_string(shape.threads) + " x " + std::to_string(shape.items);
    }
    return reason +
           (n <= kMaxNarrowElements ? " with these keys and values" : " with these keys and values for n > 2^32 - 1");
  }
  if (settings.block_keys > static_cast<std::uint32_t>(settings.threads * settings.items)) {
    return "block_keys must be at most threads * items = " + std::to_string(settings.threads * settings.items);
  }
  const std::uint32_t max_keys = local_shapes(LocalSort::block_radix, key_bytes, value_bytes).back().keys();
  if (settings.local_keys > max_keys) {
    return "local_keys must be at most " + std::to_string(max_keys) + " with these keys and values";
  }
  if (settings.classes == Classes::released && settings.local_sort == LocalSort::ranked) {
    return "classes=released needs local_sort=block_radix, the released code's sort";
  }
  if (settings.merge_keys > settings.local_keys) return "merge_keys must be at most local_keys";
  if (scatter_bytes(settings, key_bytes, value_bytes) > kSharedMemory) {
    return "a block's keys do not fit in shared memory: use fewer threads or items";
  }
  return std::nullopt;
}

}  // namespace sortlab::hybrid_radix

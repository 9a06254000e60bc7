// What the sort launches and its model charges: the settings that have kernels, Table 3's rows, the bounds of section
// 4.5 on buckets and blocks, and the memory that follows from them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "core/choice.hpp"
#include "core/host_device.hpp"

namespace sortlab::hybrid_radix {

inline constexpr int kMostDigitBits = 8;
inline constexpr int kLeastThreads = 256;          ///< of a block: a thread per digit value
inline constexpr int kMostThreads = 1024;          ///< of a block
inline constexpr int kRun = 9;                     ///< digits that a thread sorts at once (section 4.3)
inline constexpr std::uint32_t kHotShare = 3;      ///< a digit of more than a third of a block is hot (authors' code)
inline constexpr std::uint32_t kMergeKeys = 3000;  ///< the merge threshold of section 4.5
inline constexpr int kMostClasses = 8;             ///< of local sorts
inline constexpr std::uint32_t kWideOffsets = 8;
inline constexpr std::uint64_t kMostNarrow = 0xFFFFFFFF;  ///< elements that offsets of 32 bits reach

enum class Lists : std::uint8_t { device, host };      ///< where buckets and their blocks are listed, pass by pass
enum class Staging : std::uint8_t { reused, beside };  ///< of values: in place of written keys, or beside them
enum class Classes : std::uint8_t { all, one };        ///< of local sorts: by size, or all with the largest
/// How a bucket is sorted in shared memory.
enum class LocalSort : std::uint8_t {
  block_radix,  ///< the paper's: CUB's LSD radix sort of a block
  ranked,       ///< one partition into about as many bins as keys, then each key's rank in its bin by comparisons
};
inline constexpr std::array kLists{Choice<Lists>{"device", Lists::device}, Choice<Lists>{"host", Lists::host}};
inline constexpr std::array kStagings{Choice<Staging>{"reused", Staging::reused},
                                      Choice<Staging>{"beside", Staging::beside}};
inline constexpr std::array kClasses{Choice<Classes>{"all", Classes::all}, Choice<Classes>{"one", Classes::one}};
inline constexpr std::array kLocalSorts{Choice<LocalSort>{"block_radix", LocalSort::block_radix},
                                        Choice<LocalSort>{"ranked", LocalSort::ranked}};

/// A block of threads with that many keys each.
struct Shape {
  int threads;
  int items;
  constexpr std::uint32_t keys() const { return static_cast<std::uint32_t>(threads * items); }
  friend constexpr bool operator==(const Shape&, const Shape&) = default;
};

/// A setting of the sort, resolved.
struct Settings {
  int digit_bits = 8;
  int threads = 384;                      ///< of a block that counts or scatters
  int items = 18;                         ///< keys a thread (KPT)
  std::uint32_t block_keys = 6912;        ///< KPB: at most threads * items
  std::uint32_t local_keys = 9216;        ///< the local sort's threshold
  std::uint32_t merge_keys = kMergeKeys;  ///< neighbours below it are merged; 0: never
  Classes classes = Classes::all;
  Staging staging = Staging::reused;
  bool keeps = true;  ///< block histograms, for the scatter; else it counts again (only in a component)
  bool look_ahead = true;
  bool thread_reduction = true;
  Lists lists = Lists::device;
  LocalSort local_sort = LocalSort::block_radix;

  constexpr std::uint32_t digits() const { return 1U << digit_bits; }
  constexpr Shape shape() const { return {threads, items}; }
  friend constexpr bool operator==(const Settings&, const Settings&) = default;
};

/// `auto`: chosen among those below by 2 GB of uniform, skewed and constant keys on an NVIDIA H200.
constexpr Shape tuned_shape(std::uint32_t key_bytes, std::uint32_t value_bytes) {
  if (value_bytes == 0) return key_bytes == 4 ? Shape{512, 24} : Shape{512, 18};
  return key_bytes + value_bytes == 8 ? Shape{384, 18} : Shape{512, 9};
}

/// Blocks that have a scatter kernel; the first is Table 3's. 12 bytes, for which it has no row, use the row of 16.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kShapes{Shape{256, 9}, Shape{512, 9}, Shape{512, 12}};
template <>
inline constexpr std::array kShapes<4, 0>{Shape{384, 18}, Shape{512, 24}, Shape{512, 36}};
template <>
inline constexpr std::array kShapes<8, 0>{Shape{384, 9}, Shape{512, 18}, Shape{512, 22}};
template <>
inline constexpr std::array kShapes<4, 4>{Shape{384, 18}, Shape{512, 12}, Shape{512, 18}};
/// For more elements than 32 bits count: only Table 3's and that of `auto`.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kWideShapes{kShapes<key_bytes, value_bytes>[0], tuned_shape(key_bytes, value_bytes)};

constexpr std::span<const Shape> shapes_of(std::uint32_t key_bytes, std::uint32_t value_bytes, std::uint64_t n = 0) {
  const auto either = [n](std::span<const Shape> narrow, std::span<const Shape> wide) {
    return n <= kMostNarrow ? narrow : wide;
  };
  if (value_bytes == 0 && key_bytes == 4) return either(kShapes<4, 0>, kWideShapes<4, 0>);
  if (value_bytes == 0) return either(kShapes<8, 0>, kWideShapes<8, 0>);
  if (key_bytes + value_bytes == 8) return either(kShapes<4, 4>, kWideShapes<4, 4>);
  return either(kShapes<8, 8>, kWideShapes<8, 8>);
}

/// The size classes of the authors' code, ascending; the last is Table 3's threshold. The paper names intervals between
/// powers of two as an example (section 4.2). 12 bytes, for which it has no row, use the row of 16.
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

/// Blocks of the ranked local sort: fewer classes, since its time depends on keys and hardly on a block's capacity.
template <std::uint32_t key_bytes, std::uint32_t value_bytes>
inline constexpr std::array kRankedShapes{Shape{128, 11}, Shape{256, 11}, Shape{512, 8}};
template <>
inline constexpr std::array kRankedShapes<4, 0>{Shape{256, 11}, Shape{384, 15}, Shape{512, 18}};
template <>
inline constexpr std::array kRankedShapes<8, 0>{Shape{128, 11}, Shape{256, 11}, Shape{512, 9}};
template <>
inline constexpr std::array kRankedShapes<4, 4>{Shape{128, 11}, Shape{256, 11}, Shape{512, 12}};

/// Of a local sort for keys and values of that many bytes.
constexpr std::span<const Shape> local_shapes(LocalSort sort, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto either = [sort](std::span<const Shape> block_radix, std::span<const Shape> ranked) {
    return sort == LocalSort::ranked ? ranked : block_radix;
  };
  if (value_bytes == 0 && key_bytes == 4) return either(kBlockRadixShapes<4, 0>, kRankedShapes<4, 0>);
  if (value_bytes == 0) return either(kBlockRadixShapes<8, 0>, kRankedShapes<8, 0>);
  if (key_bytes + value_bytes == 8) return either(kBlockRadixShapes<4, 4>, kRankedShapes<4, 4>);
  return either(kBlockRadixShapes<8, 8>, kRankedShapes<8, 8>);
}

inline constexpr int kBlockRadixBits = 4;  ///< of a pass of CUB's sort
/// The most comparisons per key of the ranked local sort, for a bucket with that many bits left; one that needs more,
/// or is expected to, is left to CUB's sort. On an NVIDIA H200 three take about as long as a pass of that sort.
SORTLAB_HOST_DEVICE constexpr std::uint32_t most_comparisons(int bits) {
  const int passes = (bits + kBlockRadixBits - 1) / kBlockRadixBits;
  return passes > 8 ? 3 * static_cast<std::uint32_t>(passes) : 24;
}

/// Table 3's row. Of pairs of 32 bits it prints 3456 keys a block beside 384 threads of 18, which are the 6912 of the
/// authors' code (X9); 6912 it is.
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

/// The passes over the digits, most significant first.
struct Passes {
  int key_bits;
  int digit_bits;
  constexpr int count() const { return (key_bits + digit_bits - 1) / digit_bits; }
  /// Bits below the digit of pass `pass`; the last digit may have fewer bits than the others.
  constexpr int shift(int pass) const { return std::max(0, key_bits - (pass + 1) * digit_bits); }
  constexpr int bits(int pass) const { return key_bits - pass * digit_bits - shift(pass); }
};

/// Upper bounds at any time, for any keys (section 4.5). Zero if n keys are one local sort.
struct Bounds {
  std::uint64_t buckets;      ///< I1: that no local sort can take
  std::uint64_t blocks;       ///< I4: of those buckets
  std::uint64_t sub_buckets;  ///< I3, without merging I2: of one pass
};
constexpr Bounds bounds_of(const Settings& settings, std::uint64_t n) {
  const std::uint64_t buckets = n / settings.local_keys;
  std::uint64_t sub_buckets = settings.digits() * buckets;
  if (settings.merge_keys > 0) sub_buckets = std::min(sub_buckets, 2 * n / settings.merge_keys + buckets);
  return {.buckets = buckets, .blocks = n / settings.block_keys + buckets, .sub_buckets = sub_buckets};
}

/// Bytes beside the input (section 4.5, M1 to M5). Offsets and counts have 4 bytes while n allows, 8 beyond.
struct Memory {
  std::uint64_t arrays;             ///< M1 without the input: the second set of arrays
  std::uint64_t bucket_histograms;  ///< M2
  std::uint64_t block_histograms;   ///< M3
  std::uint64_t block_lists;        ///< M4: of this pass and of the next
  std::uint64_t local_lists;        ///< M5
  constexpr std::uint64_t bookkeeping() const {
    return bucket_histograms + block_histograms + block_lists + local_lists;
  }
};
constexpr std::uint32_t offset_bytes(std::uint64_t n) {
  return n <= kMostNarrow ? 4 : kWideOffsets;
}
constexpr Memory memory_of(const Settings& settings, std::uint64_t n, std::uint32_t element_bytes) {
  const Bounds bounds = bounds_of(settings, n);
  const std::uint64_t offset = offset_bytes(n);
  return {.arrays = n * element_bytes,
          .bucket_histograms = offset * settings.digits() * bounds.buckets,
          .block_histograms = 4 * std::uint64_t{settings.digits()} * bounds.blocks,
          .block_lists = 2 * (2 * offset + 8) * bounds.blocks,
          .local_lists = (offset + 8) * bounds.sub_buckets};
}

/// The local sorts that a setting launches: the blocks below the threshold, and the first that holds as many keys.
struct LocalClasses {
  std::array<Shape, kMostClasses> shapes{};
  int count = 0;
};
constexpr LocalClasses classes_of(const Settings& settings, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  LocalClasses classes;
  for (const Shape& shape : local_shapes(settings.local_sort, key_bytes, value_bytes)) {
    const bool last = shape.keys() >= settings.local_keys;
    if (last || settings.classes == Classes::all) classes.shapes[static_cast<std::size_t>(classes.count++)] = shape;
    if (last) break;
  }
  return classes;
}

/// Bytes of shared memory of a block that scatters: its keys and values, and an offset and a counter per digit.
constexpr std::uint32_t scatter_bytes(const Settings& settings, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  const auto padded = [&](std::uint32_t width) { return (settings.block_keys * width + 15) / 16 * 16; };
  const std::uint32_t staged = settings.staging == Staging::beside ? padded(key_bytes) + padded(value_bytes)
                                                                   : padded(std::max(key_bytes, value_bytes));
  return staged + settings.digits() * (kWideOffsets + 4);
}

inline constexpr std::uint32_t kSharedMemory = 232448;  ///< bytes that a block can have, compute capability 9.0

/// Why a setting cannot be launched, or nothing.
inline std::optional<std::string> declines(const Settings& settings, std::uint32_t key_bytes, std::uint32_t value_bytes,
                                           std::uint64_t n = 0) {
  const std::span<const Shape> shapes = shapes_of(key_bytes, value_bytes, n);
  if (std::ranges::find(shapes, settings.shape()) == shapes.end()) {
    std::string reason = "threads x items must be";
    for (const Shape& shape : shapes) {
      reason +=
          (shape == shapes.front() ? " " : ", ") + std::to_string(shape.threads) + " x " + std::to_string(shape.items);
    }
    return reason + (n <= kMostNarrow ? " with these keys and values" : " with these keys, values and so many of them");
  }
  if (settings.block_keys > static_cast<std::uint32_t>(settings.threads * settings.items)) {
    return "block_keys must be at most threads * items = " + std::to_string(settings.threads * settings.items);
  }
  const std::uint32_t most = local_shapes(LocalSort::block_radix, key_bytes, value_bytes).back().keys();
  if (settings.local_keys > most) {
    return "local_keys must be at most " + std::to_string(most) + " with these keys and values";
  }
  if (settings.merge_keys > settings.local_keys) return "merge_keys must be at most local_keys";
  if (scatter_bytes(settings, key_bytes, value_bytes) > kSharedMemory) {
    return "a block's keys do not fit in shared memory: use fewer threads or items";
  }
  return std::nullopt;
}

}  // namespace sortlab::hybrid_radix

// One pass over a tile: sorts it by the digit in cache, one split per bit, and writes it out run by run (Satish et al.
// 2010, sections 2.1 and 2.2).
//
// Zeros and ones go to separate arrays, so that neither side needs the other's count, and whole vectors may be stored
// past the end of both. A tile is therefore in two pieces after every split. After the last split, these are the lower
// and the upper half of the digits.
#pragma once

#include <array>

#include "algorithms/knf_split_radix/plan.hpp"
#include "algorithms/knf_split_radix/split_kernels.hpp"
#include "core/key_types.hpp"
#include "core/pages.hpp"

namespace sortlab::knf {

/// Elements in two arrays; `values` is unused without values.
template <class Word, class Value>
struct Arrays {
  Word* keys = nullptr;
  Value* values = nullptr;

  Arrays from(std::size_t first) const {
    return {keys + first, std::is_same_v<Value, NoValue> ? nullptr : values + first};
  }
};

template <class Word, class Value>
class TileSorter {
 public:
  static constexpr bool has_values = !std::is_same_v<Value, NoValue>;

  /// For tiles of up to `elements`.
  TileSorter(std::size_t elements, const Kernels& kernels, PageKind pages)
      : key_stride_(round_up(elements, sizeof(Word))),
        value_stride_(round_up(elements, sizeof(Value))),
        keys_(kSides * key_stride_ * sizeof(Word), pages),
        values_(has_values ? kSides * value_stride_ * sizeof(Value) : 0, pages),
        kernels_(kernels) {}

  std::uint64_t bytes() const { return keys_.size() + values_.size(); }

  /// Changes of the keys in a pass, and its stores.
  struct Move {
    bool enters;     ///< floats become ordered words
    bool leaves;     ///< ordered words become floats
    bool streaming;  ///< stores bypass the caches
  };

  /// Scatters the n elements stably: the counts[d] elements of digit d go to starts[d] and the following places, and
  /// starts[d] advances.
  void scatter(Arrays<Word, Value> tile, std::size_t n, Digit digit, Move move, const std::uint32_t* counts,
               std::uint64_t* starts, Arrays<Word, Value> out) {
    const std::array<Piece, 2> halves = sort(tile, n, digit, move.enters);
    const std::size_t radix = digit.radix();
    const KeyMap map = move.leaves ? KeyMap::leave : KeyMap::none;
    for (std::size_t half = 0; half < 2; ++half) {
      Arrays<Word, Value> run = halves[half].elements;
      for (std::size_t rank = half * radix / 2; rank < (half + 1) * radix / 2; ++rank) {
        const std::size_t d = rank ^ digit.rank_flip;
        const std::size_t length = counts[d];
        if (length == 0) continue;
        const Arrays<Word, Value> to = out.from(starts[d]);
        kernels_.copy_keys(run.keys, to.keys, length, map, move.streaming);
        if constexpr (has_values) kernels_.copy_values(run.values, to.values, length, KeyMap::none, move.streaming);
        starts[d] += length;
        run = run.from(length);
      }
    }
  }

 private:
  struct Piece {
    Arrays<Word, Value> elements;
    std::size_t count = 0;
  };

  static constexpr std::size_t kSides = 4;  ///< zeros and ones, to split from and to split to

  /// Distance between sides in elements: room for a vector past the end, whole lines.
  static constexpr std::size_t round_up(std::size_t elements, std::size_t size) {
    return (elements * size + kPadBytes + 63) / 64 * 64 / size;
  }
  Arrays<Word, Value> side(std::size_t number) const {
    return {keys_.data<Word>() + number * key_stride_,
            has_values ? values_.data<Value>() + number * value_stride_ : nullptr};
  }

  /// Sorts the tile by the digit, and returns its lower and its upper ranks.
  std::array<Piece, 2> sort(Arrays<Word, Value> tile, std::size_t n, Digit digit, bool enters) {
    std::array<Piece, 2> pieces{{{tile, n}, {tile, 0}}};
    if (enters) {
      pieces[0].elements.keys = side(2).keys;
      kernels_.copy_keys(tile.keys, side(2).keys, n, KeyMap::enter, false);
    }
    for (int bit = 0; bit < digit.bits; ++bit) {
      const std::size_t pair = bit % 2 == 0 ? 0 : 2;
      // For the sign bit the ones come first, and take the place of the zeros.
      const std::size_t ones_first = (digit.rank_flip >> bit) & 1;
      const std::array<Arrays<Word, Value>, 2> sides{side(pair), side(pair + 1)};
      std::array<Side, 2> ends{{{sides[0].keys, sides[0].values}, {sides[1].keys, sides[1].values}}};
      for (const Piece& piece : pieces) {
        kernels_.split(piece.elements.keys, piece.elements.values, piece.count, digit.shift + bit, ends[ones_first],
                       ends[1 - ones_first]);
      }
      for (std::size_t s = 0; s < 2; ++s) {
        pieces[s] = {sides[s], static_cast<std::size_t>(static_cast<Word*>(ends[s].keys) - sides[s].keys)};
      }
    }
    return pieces;
  }

  std::size_t key_stride_;
  std::size_t value_stride_;
  Pages keys_;
  Pages values_;
  Kernels kernels_;
};

}  // namespace sortlab::knf

// Conversion of keys and values to words and back.
//
// A 32-bit key with a 32-bit value is one 64-bit word, with the key in the upper half. It moves in one piece, and pairs
// in one array are such words already. All other values stay beside their words, both widened to 64 bits. Everything
// that depends on the types and layout of keys and values is here, behind function pointers that are called once for
// each block of elements. The sort itself handles only words.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/misplaced.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "algorithms/msd_radix_cpu/runs.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab::msd {

/// The user's arrays. If pairs lie together, `keys` holds them.
struct Arrays {
  void* keys;
  void* values;
};

template <class K, class V>
inline constexpr bool kAlone = std::is_same_v<V, NoValue>;
template <class K, class V>
inline constexpr std::size_t kValueBytes = kAlone<K, V> ? 0 : sizeof(V);
template <class K, class V>
inline constexpr bool kJoined = joins(sizeof(K), kValueBytes<K, V>);
template <class K, class V>
inline constexpr bool kValuesBeside = has_values_beside(sizeof(K), kValueBytes<K, V>);
template <class K, class V>
using WordOf = std::conditional_t<word_bytes(sizeof(K), kValueBytes<K, V>) == 4, std::uint32_t, std::uint64_t>;

/// Largest disorder of an input that is repaired rather than sorted.
struct Disorder {
  std::size_t runs = 1;         ///< ascending runs; more than one needs spare memory for all elements
  std::uint64_t misplaced = 0;  ///< elements without which the others are in order
};

/// Functions that convert a type of keys and values to the words that are sorted, and back. `beside` holds the values
/// of words that have no room for them; `first` is the index in Arrays at which the conversion begins.
template <class Word>
struct Form {
  std::size_t key_bytes;    ///< bytes of an element of Arrays::keys
  std::size_t value_bytes;  ///< bytes of an element of Arrays::values; 0: no values
  bool direct;              ///< keys and values are words already
  bool in_place;  ///< they can become words in place: `enter` and `leave` accept the same memory for input and output
  void (*enter)(const Arrays& from, std::uint64_t first, std::size_t n, Word* words, Word* beside);
  void (*leave)(const Word* words, const Word* beside, std::size_t n, const Arrays& to, std::uint64_t first);
  /// Sorts n elements whose disorder is within `most`; returns false for others.
  bool (*repair)(const Arrays& arrays, std::uint64_t n, const Disorder& most, Word* spare,
                 const InOrder<Word>& in_order);
};

template <class K, class V>
void enter(const Arrays& from, std::uint64_t first, std::size_t n, WordOf<K, V>* words,
           [[maybe_unused]] WordOf<K, V>* beside) {
  const auto* const keys = static_cast<const Bits<K>*>(from.keys) + first;
  [[maybe_unused]] const V* const values = static_cast<const V*>(from.values) + first;
  for (std::size_t i = 0; i < n; ++i) {
    words[i] = to_ordered(std::bit_cast<K>(keys[i]));
    if constexpr (kJoined<K, V>) words[i] = words[i] << 32 | values[i];
    if constexpr (kValuesBeside<K, V>) beside[i] = values[i];
  }
}

template <class K, class V>
void leave(const WordOf<K, V>* words, [[maybe_unused]] const WordOf<K, V>* beside, std::size_t n, const Arrays& to,
           std::uint64_t first) {
  auto* const keys = static_cast<Bits<K>*>(to.keys) + first;
  [[maybe_unused]] V* const values = static_cast<V*>(to.values) + first;
  for (std::size_t i = 0; i < n; ++i) {
    if constexpr (kJoined<K, V>) {
      keys[i] = std::bit_cast<Bits<K>>(from_ordered<K>(static_cast<std::uint32_t>(words[i] >> 32)));
      values[i] = static_cast<V>(words[i]);
    } else {
      keys[i] = std::bit_cast<Bits<K>>(from_ordered<K>(static_cast<Bits<K>>(words[i])));
      if constexpr (kValuesBeside<K, V>) values[i] = static_cast<V>(beside[i]);
    }
  }
}

/// Repair of pairs that lie together: each is one word, compared by its key alone.
template <class K, class V>
void enter_together(const Arrays& from, std::uint64_t first, std::size_t n, std::uint64_t* words, std::uint64_t*) {
  const auto* const pairs = static_cast<const Pair<K, V>*>(from.keys) + first;
  for (std::size_t i = 0; i < n; ++i) {
    const auto [value, key] = pairs[i];
    words[i] = std::uint64_t{to_ordered(key)} << 32 | value;
  }
}

template <class K, class V>
void leave_together(const std::uint64_t* words, const std::uint64_t*, std::size_t n, const Arrays& to,
                    std::uint64_t first) {
  auto* const pairs = static_cast<Pair<K, V>*>(to.keys) + first;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t word = words[i];
    pairs[i] = {static_cast<V>(word), from_ordered<K>(static_cast<Bits<K>>(word >> 32))};
  }
}

/// `spare_keys`, `spare_values`: memory for n of each, if more than one run is allowed.
template <class Less, class K, class V>
bool repair_elements(K* keys, V* values, std::uint64_t n, const Disorder& most, K* spare_keys, V* spare_values,
                     const InOrder<K>& in_order) {
  Runs<K, V, Less> runs{keys, values, n};
  if (runs.find(most.runs, in_order)) {
    runs.merge(spare_keys, spare_values);
    return true;
  }
  Misplaced<K, V, Less> misplaced{keys, values, n};
  if (!misplaced.find(most.misplaced, in_order)) return false;
  misplaced.repair();
  return true;
}

template <class K, class V>
bool repair(const Arrays& arrays, std::uint64_t n, const Disorder& most, WordOf<K, V>* spare,
            [[maybe_unused]] const InOrder<WordOf<K, V>>& in_order_words) {
  const InOrder<K> in_order = [&] {
    if constexpr (std::is_same_v<K, WordOf<K, V>>) {
      return in_order_words;
    } else {
      return InOrder<K>{keys_in_order<K, false>, keys_in_order<K, true>};
    }
  }();
  // The wider type comes first, so that both are aligned.
  auto* const bytes = reinterpret_cast<std::byte*>(spare);
  auto* const keys_at = bytes + (sizeof(K) < sizeof(V) ? n * sizeof(V) : 0);
  auto* const values_at = bytes + (sizeof(K) < sizeof(V) ? 0 : n * sizeof(K));
  return repair_elements<KeyLess>(static_cast<K*>(arrays.keys), static_cast<V*>(arrays.values), n, most,
                                  reinterpret_cast<K*>(keys_at), reinterpret_cast<V*>(values_at), in_order);
}

template <class K, class V>
bool repair_together(const Arrays& arrays, std::uint64_t n, const Disorder& most, std::uint64_t* spare,
                     const InOrder<std::uint64_t>&) {
  using Element = Pair<K, V>;
  const InOrder<Element> in_order{keys_in_order<Element, false, PairLess>, keys_in_order<Element, true, PairLess>};
  NoValue* const none = nullptr;
  return repair_elements<PairLess>(static_cast<Element*>(arrays.keys), none, n, most, reinterpret_cast<Element*>(spare),
                                   none, in_order);
}

/// Makes the form of keys and values that lie apart, or together if a pair is one word.
template <class K, class V>
Form<WordOf<K, V>> make_form(Layout layout = Layout::separate) {
  using Word = WordOf<K, V>;
  if constexpr (kJoined<K, V>) {
    if (layout == Layout::together) {
      return {sizeof(Pair<K, V>),   0, std::is_unsigned_v<K>, true, enter_together<K, V>, leave_together<K, V>,
              repair_together<K, V>};
    }
  }
  constexpr bool in_place = sizeof(K) == sizeof(Word) && (kAlone<K, V> || std::is_same_v<V, Word>);
  return {sizeof(K),   kValueBytes<K, V>, in_place && std::is_same_v<K, Word>, in_place, enter<K, V>,
          leave<K, V>, repair<K, V>};
}

}  // namespace sortlab::msd

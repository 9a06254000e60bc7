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
#include <cstring>
#include <type_traits>

#include "algorithms/msd_radix_cpu/key_kernels.hpp"
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
  const KeyKernels* kernels;
  void (*enter_by)(const KeyKernels& kernels, const Arrays& from, std::uint64_t first, std::size_t n, Word* words,
                   Word* beside);
  void (*leave_by)(const KeyKernels& kernels, const Word* words, const Word* beside, std::size_t n, const Arrays& to,
                   std::uint64_t first);
  bool (*repair_by)(const KeyKernels& kernels, const Arrays& arrays, std::uint64_t n, const Disorder& most,
                    Word* spare);

  void enter(const Arrays& from, std::uint64_t first, std::size_t n, Word* words, Word* beside) const {
    enter_by(*kernels, from, first, n, words, beside);
  }
  void leave(const Word* words, const Word* beside, std::size_t n, const Arrays& to, std::uint64_t first) const {
    leave_by(*kernels, words, beside, n, to, first);
  }
  /// Sorts n elements whose disorder is within `most`; returns false for others.
  bool repair(const Arrays& arrays, std::uint64_t n, const Disorder& most, Word* spare) const {
    return repair_by(*kernels, arrays, n, most, spare);
  }
};

/// Copies numbers that may be the same memory, or of another width.
template <class From, class To>
void copy_numbers(const From* from, std::size_t n, To* to) {
  if constexpr (sizeof(From) == sizeof(To)) {
    if (static_cast<const void*>(from) != to) std::memcpy(to, from, n * sizeof(To));
  } else {
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<To>(from[i]);
  }
}

template <class K, class V>
void enter(const KeyKernels& kernels, const Arrays& from, std::uint64_t first, std::size_t n, WordOf<K, V>* words,
           [[maybe_unused]] WordOf<K, V>* beside) {
  const auto* const keys = static_cast<const Bits<K>*>(from.keys) + first;
  [[maybe_unused]] const V* const values = static_cast<const V*>(from.values) + first;
  if constexpr (kJoined<K, V>) {
    kernels.join(keys, values, n, words);
  } else if constexpr (sizeof(K) == sizeof(*words)) {
    kernels.enter(keys, n, words);
  } else {
    for (std::size_t i = 0; i < n; ++i) words[i] = to_ordered(std::bit_cast<K>(keys[i]));
  }
  if constexpr (kValuesBeside<K, V>) copy_numbers(values, n, beside);
}

template <class K, class V>
void leave(const KeyKernels& kernels, const WordOf<K, V>* words, [[maybe_unused]] const WordOf<K, V>* beside,
           std::size_t n, const Arrays& to, std::uint64_t first) {
  auto* const keys = static_cast<Bits<K>*>(to.keys) + first;
  [[maybe_unused]] V* const values = static_cast<V*>(to.values) + first;
  if constexpr (kJoined<K, V>) {
    kernels.split(words, n, keys, values);
  } else if constexpr (sizeof(K) == sizeof(*words)) {
    kernels.leave(words, n, keys);
  } else {
    for (std::size_t i = 0; i < n; ++i)
      keys[i] = std::bit_cast<Bits<K>>(from_ordered<K>(static_cast<Bits<K>>(words[i])));
  }
  if constexpr (kValuesBeside<K, V>) copy_numbers(beside, n, values);
}

/// The same of pairs that lie together, each of which is one word.
inline void enter_together(const KeyKernels& kernels, const Arrays& from, std::uint64_t first, std::size_t n,
                           std::uint64_t* words, std::uint64_t* /*beside*/) {
  kernels.enter(static_cast<const std::uint64_t*>(from.keys) + first, n, words);
}
inline void leave_together(const KeyKernels& kernels, const std::uint64_t* words, const std::uint64_t* /*beside*/,
                           std::size_t n, const Arrays& to, std::uint64_t first) {
  kernels.leave(words, n, static_cast<std::uint64_t*>(to.keys) + first);
}

/// `spare_keys`, `spare_values`: memory for n of each, if more than one run is allowed.
template <class Less, class K, class V>
bool repair_elements(const KeyKernels& kernels, K* keys, V* values, std::uint64_t n, const Disorder& most,
                     K* spare_keys, V* spare_values) {
  Runs<K, V, Less> runs{kernels, keys, values, n};
  if (runs.find(most.runs)) {
    runs.merge(spare_keys, spare_values);
    return true;
  }
  Misplaced<K, V, Less> misplaced{keys, values, n};
  if (!misplaced.find(most.misplaced, kernels.in_order)) return false;
  misplaced.repair();
  return true;
}

template <class K, class V>
bool repair(const KeyKernels& kernels, const Arrays& arrays, std::uint64_t n, const Disorder& most,
            WordOf<K, V>* spare) {
  // The wider type comes first, so that both are aligned.
  auto* const bytes = reinterpret_cast<std::byte*>(spare);
  auto* const keys_at = bytes + (sizeof(K) < sizeof(V) ? n * sizeof(V) : 0);
  auto* const values_at = bytes + (sizeof(K) < sizeof(V) ? 0 : n * sizeof(K));
  return repair_elements<KeyLess>(kernels, static_cast<K*>(arrays.keys), static_cast<V*>(arrays.values), n, most,
                                  reinterpret_cast<K*>(keys_at), reinterpret_cast<V*>(values_at));
}

template <class K, class V>
bool repair_together(const KeyKernels& kernels, const Arrays& arrays, std::uint64_t n, const Disorder& most,
                     std::uint64_t* spare) {
  using Element = Pair<K, V>;
  NoValue* const none = nullptr;
  return repair_elements<PairLess>(kernels, static_cast<Element*>(arrays.keys), none, n, most,
                                   reinterpret_cast<Element*>(spare), none);
}

/// Makes the form of keys and values that lie apart, or together if a pair is one word.
template <class K, class V>
Form<WordOf<K, V>> make_form(const AllKeyKernels& kernels, Layout layout = Layout::separate) {
  using Word = WordOf<K, V>;
  if constexpr (kJoined<K, V>) {
    if (layout == Layout::together) {
      return {.key_bytes = sizeof(Pair<K, V>),
              .value_bytes = 0,
              .direct = std::is_unsigned_v<K>,
              .in_place = true,
              .kernels = &kernels.of<Pair<K, V>>(),
              .enter_by = enter_together,
              .leave_by = leave_together,
              .repair_by = repair_together<K, V>};
    }
  }
  constexpr bool in_place = sizeof(K) == sizeof(Word) && (kAlone<K, V> || std::is_same_v<V, Word>);
  return {.key_bytes = sizeof(K),
          .value_bytes = kValueBytes<K, V>,
          .direct = in_place && std::is_same_v<K, Word>,
          .in_place = in_place,
          .kernels = &kernels.of<K>(),
          .enter_by = enter<K, V>,
          .leave_by = leave<K, V>,
          .repair_by = repair<K, V>};
}

}  // namespace sortlab::msd

// The short way to a plug-in for a library's sort that works on one array, needs no scratch memory from us and reports
// no phases: a class whose call operator sorts a span of keys, or of Pair<K, V>, by the given order.
//
//   struct StdSort {
//     template <class T, class Less>
//     void operator()(std::span<T> elements, Less less) const { std::sort(elements.begin(), elements.end(), less); }
//   };
//   const Register registered{std::make_unique<SimpleSort<StdSort>>(Info{…})};
//
// `less` is operator< on the keys, or KeyLess if the problem needs the total order. A Sort may also have these members:
//
//   explicit Sort(const Resources&);                        receives its threads when it is prepared
//   template <class K, class V> static constexpr bool offers;  true for types it is compiled for (default: all of Info)
//   static constexpr bool total_order = false;              declines floats that may be NaN or -0 (default: true)
//
// CommonTypes says both for a library that is slow to compile.
#pragma once

#include <concepts>

#include "algorithms/common/adapters/common_types.hpp"
#include "algorithms/common/adapters/element_key.hpp"
#include "algorithms/common/adapters/library_sort.hpp"

namespace sortlab {

/// Orders elements by their keys with `Less`.
template <class Less>
struct ByKey {
  template <class T>
  constexpr bool operator()(const T& a, const T& b) const {
    return Less{}(element_key(a), element_key(b));
  }
};

/// operator<. It is the same as KeyLess on integers, and on floats without NaN and without zeros of both signs.
struct PlainLess {
  template <class K>
  constexpr bool operator()(K a, K b) const {
    return a < b;
  }
};

template <class Sort>
class SimpleSort final : public LibrarySort {
 public:
  explicit SimpleSort(Info info)
      : LibrarySort(
            std::move(info),
            [](KeyType key, ValueType value) {
              return with_types(key, value, []<class K, class V>() { return offers<K, V>(); });
            },
            kTotalOrder) {}

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    if constexpr (std::constructible_from<Sort, const Resources&>) {
      return std::make_unique<Ready>(problem, resources);
    } else {
      return std::make_unique<Ready>(problem);
    }
  }

 private:
  template <class K, class V>
  static constexpr bool offers() {
    if constexpr (requires { Sort::template offers<K, V>; }) return Sort::template offers<K, V>;
    return true;
  }
  static constexpr bool kTotalOrder = [] {
    if constexpr (requires { Sort::total_order; }) return Sort::total_order;
    return true;
  }();

  class Ready final : public Sorter {
   public:
    template <class... Args>
    explicit Ready(const Problem& problem, const Args&... args) : problem_(problem), sort_(args...) {}

    Buffers sort(Buffers data, PhaseTimer&) override {
      with_types(problem_.key, problem_.value, [&]<class K, class V>() {
        if constexpr (offers<K, V>()) {
          using T = std::conditional_t<std::is_same_v<V, NoValue>, K, Pair<K, V>>;
          run<K>(data.keys.as<T>());
        }
      });
      return data;
    }

   private:
    template <class K, class T>
    void run(std::span<T> elements) {
      if constexpr (kTotalOrder && std::is_floating_point_v<K>) {
        if (problem_.needs_total_order) return sort_(elements, ByKey<KeyLess>{});
      }
      sort_(elements, ByKey<PlainLess>{});
    }

    Problem problem_;
    Sort sort_;
  };
};

}  // namespace sortlab

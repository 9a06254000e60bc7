// The short way to a plug-in for a library's sort that works on one array, needs no scratch of ours and reports no
// phases: a class whose call operator sorts a span of keys, or of Pair<K, V>, with the order it is given.
//
//   struct StdSort {
//     template <class T, class Less>
//     void operator()(std::span<T> elements, Less less) const { std::sort(elements.begin(), elements.end(), less); }
//   };
//   const Register registered{std::make_unique<SimpleSort<StdSort>>(Info{…})};
//
// `less` is operator< on the keys where they permit it, and KeyLess where the problem needs the total order. A Sort may
// say more of itself:
//
//   explicit Sort(const Resources&);                        takes its threads when it is prepared
//   template <class K, class V> static constexpr bool offers;  which types it is compiled for (default: all of Info)
//   static constexpr bool total_order = false;              declines floats that may be NaN or -0 (default: true)
#pragma once

#include <fmt/format.h>

#include <concepts>

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The key of an element: itself, or that of a pair.
template <class T>
constexpr const auto& key_of(const T& element) {
  if constexpr (requires { element.key; }) {
    return element.key;
  } else {
    return element;
  }
}

/// Orders elements by their keys with `Less`.
template <class Less>
struct ByKey {
  template <class T>
  constexpr bool operator()(const T& a, const T& b) const {
    return Less{}(key_of(a), key_of(b));
  }
};

/// operator<: on integers the same as KeyLess, on floats only while there is neither a NaN nor a zero of each sign.
struct PlainLess {
  template <class K>
  constexpr bool operator()(K a, K b) const {
    return a < b;
  }
};

/// What a library that compiles slowly (a second or more a type) is offered for: u32, u64, f32 and f64, alone or with
/// values of their width.
template <class K, class V>
constexpr bool is_common_type() {
  if (sizeof(K) > 8 || (std::is_integral_v<K> && std::is_signed_v<K>)) return false;
  return std::is_same_v<V, NoValue> || sizeof(K) == sizeof(V);
}

template <class Sort>
class SimpleSort final : public Algorithm {
 public:
  explicit SimpleSort(Info info) : info_(std::move(info)) {}
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    const bool offered = with_key_type(problem.key, [&]<class K>() {
      return with_value_type(problem.value, []<class V>() { return offers<K, V>(); });
    });
    if (!offered) {
      return fmt::format("is not compiled for {} keys with {} values: see its README", name_of(problem.key),
                         name_of(problem.value));
    }
    if (!kTotalOrder && is_float(problem.key) && problem.needs_total_order) {
      return std::string{"sorts floats by operator<, which orders neither NaN nor -0 before +0"};
    }
    return std::nullopt;
  }

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
      with_key_type(problem_.key, [&]<class K>() {
        with_value_type(problem_.value, [&]<class V>() {
          if constexpr (offers<K, V>()) {
            using T = std::conditional_t<std::is_same_v<V, NoValue>, K, Pair<K, V>>;
            run<K>(data.keys.as<T>());
          }
        });
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

  Info info_;
};

}  // namespace sortlab

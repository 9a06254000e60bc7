// The paper's merge: libstdc++'s parallel multiway merge of all runs in one pass, on OpenMP's threads.
#include <omp.h>

#include <iterator>
#include <parallel/algorithm>
#include <vector>

#include "algorithms/common/adapters/common_types.hpp"
#include "algorithms/stehle_heterogeneous/run_merger.hpp"
#include "algorithms/stehle_heterogeneous/run_split.hpp"
#include "core/affinity.hpp"

namespace sortlab::heterogeneous {
namespace {

/// Iterator over an array of keys and one of values. The library reads through references to pairs, so an input
/// iterator holds a copy of its pair; an output iterator forwards keys and values.
template <class K, class V, bool kWritten>
class PairIterator {
 public:
  using value_type = Pair<K, V>;

  class Written {
   public:
    Written(K* key, V* value) : key_(key), value_(value) {}
    void operator=(const value_type& pair) const {  // NOLINT(misc-unconventional-assign-operator)
      *key_ = pair.key;
      *value_ = pair.value;
    }

   private:
    K* key_;
    V* value_;
  };

  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;
  using pointer = value_type*;
  using reference = std::conditional_t<kWritten, Written, value_type&>;

  PairIterator() = default;
  PairIterator(K* keys, V* values) : keys_(keys), values_(values) {}

  reference operator*() const {
    if constexpr (kWritten) {
      return {keys_, values_};
    } else {
      shown_ = {*values_, *keys_};
      return shown_;
    }
  }
  value_type operator[](difference_type i) const { return {values_[i], keys_[i]}; }
  PairIterator& operator+=(difference_type by) {
    keys_ += by;
    values_ += by;
    return *this;
  }
  PairIterator& operator-=(difference_type by) { return *this += -by; }
  PairIterator& operator++() { return *this += 1; }
  PairIterator& operator--() { return *this += -1; }
  PairIterator operator++(int) {
    PairIterator old = *this;
    ++*this;
    return old;
  }
  PairIterator operator--(int) {
    PairIterator old = *this;
    --*this;
    return old;
  }
  friend PairIterator operator+(PairIterator i, difference_type by) { return i += by; }
  friend PairIterator operator+(difference_type by, PairIterator i) { return i += by; }
  friend PairIterator operator-(PairIterator i, difference_type by) { return i -= by; }
  friend difference_type operator-(const PairIterator& a, const PairIterator& b) { return a.keys_ - b.keys_; }
  friend bool operator==(const PairIterator& a, const PairIterator& b) { return a.keys_ == b.keys_; }
  friend auto operator<=>(const PairIterator& a, const PairIterator& b) { return a.keys_ <=> b.keys_; }

 private:
  K* keys_ = nullptr;
  V* values_ = nullptr;
  mutable value_type shown_{};
};

struct PairLess {
  template <class K, class V>
  bool operator()(const Pair<K, V>& a, const Pair<K, V>& b) const {
    return KeyLess{}(a.key, b.key);
  }
};

template <class K, class V>
class LibstdcxxMerger final : public RunMerger {
 public:
  explicit LibstdcxxMerger(const Resources& resources) : threads_(resources.threads), cpus_(resources.cpus) {
    // Starts the pool's threads now, and rebinds those that an earlier sort left on other processors.
    const Pinned allowed{cpus_};
#pragma omp parallel num_threads(threads_)
    pin_to(cpus_);
  }

  void merge(const Buffers& from, std::span<const std::uint64_t> bounds, const Buffers& to,
             PhaseTimer& phases) override {
    const auto phase = phases.phase("merge");
    const std::uint64_t n = from.keys.count;
    std::vector<std::uint64_t> all(bounds.begin(), bounds.end());
    if (bounds.back() < n) all.push_back(n);
    if constexpr (std::is_same_v<V, NoValue>) {
      auto runs = non_empty_pieces(from, std::span{all}.first(all.size() - 1), std::span{all}.subspan(1));
      omp_set_num_threads(threads_);
      __gnu_parallel::multiway_merge(runs.begin(), runs.end(), at<true>(to, 0), static_cast<std::ptrdiff_t>(n),
                                     KeyLess{},
                                     __gnu_parallel::exact_tag(static_cast<__gnu_parallel::_ThreadIndex>(threads_)));
    } else {
#pragma omp parallel num_threads(threads_)
      merge_share(from, all, to);
    }
  }

 private:
  template <bool kWritten>
  static auto at(const Buffers& buffers, std::uint64_t place) {
    K* const keys = static_cast<K*>(buffers.keys.data) + place;
    if constexpr (std::is_same_v<V, NoValue>) {
      return keys;
    } else {
      return PairIterator<K, V, kWritten>(keys, static_cast<V*>(buffers.values.data) + place);
    }
  }

  /// The non-empty ones of the pieces [begin[i], end[i]).
  static auto non_empty_pieces(const Buffers& from, std::span<const std::uint64_t> begin,
                               std::span<const std::uint64_t> end) {
    std::vector<std::pair<decltype(at<false>(from, 0)), decltype(at<false>(from, 0))>> pieces;
    for (std::size_t i = 0; i < begin.size(); ++i) {
      if (begin[i] < end[i]) pieces.emplace_back(at<false>(from, begin[i]), at<false>(from, end[i]));
    }
    return pieces;
  }

  /// Merges this thread's share. The library's exact splitting keeps addresses of elements, which pairs in two arrays
  /// lack. So the threads' shares are split here at the same positions, and each is merged by the library's
  /// single-threaded merge.
  void merge_share(const Buffers& from, std::span<const std::uint64_t> bounds, const Buffers& to) const {
    const auto threads = static_cast<std::uint64_t>(omp_get_num_threads());
    const auto cut = [&](int thread) {
      const auto index = static_cast<std::uint64_t>(thread);
      return bounds.back() / threads * index + bounds.back() % threads * index / threads;
    };
    const std::uint64_t first = cut(omp_get_thread_num());
    const std::uint64_t last = cut(omp_get_thread_num() + 1);
    RunSplit<K> split(static_cast<const K*>(from.keys.data), bounds);
    const auto places = split.at(first);
    const std::vector<std::uint64_t> begin(places.begin(), places.end());
    const auto end = split.at(last);
    auto pieces = non_empty_pieces(from, begin, end);
    __gnu_parallel::multiway_merge(pieces.begin(), pieces.end(), at<true>(to, first),
                                   static_cast<std::ptrdiff_t>(last - first), PairLess{},
                                   __gnu_parallel::sequential_tag());
  }

  int threads_;
  std::vector<int> cpus_;
};

}  // namespace

std::unique_ptr<RunMerger> make_libstdcxx_merger(const Problem& problem, const Resources& resources) {
  return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<RunMerger> {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<RunMerger> {
      if constexpr (is_common_type<K, V>()) return std::make_unique<LibstdcxxMerger<K, V>>(resources);
      throw_no_code_for("merge=libstdcxx: key", to_name(problem.key));
    });
  });
}

}  // namespace sortlab::heterogeneous

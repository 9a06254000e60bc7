#include <ips4o.hpp>
#include <optional>

#include "algorithms/common/adapters/external_sort.hpp"

namespace sortlab::external {
namespace {

struct ByKey {
  template <class T>
  bool operator()(const T& a, const T& b) const {
    return element_key(a) < element_key(b);
  }
};

template <class K, class T>
class Ips4o final : public Sort {
 public:
  explicit Ips4o(int threads) {
    if (threads > 1) parallel_.emplace(ByKey{}, ips4o::DefaultThreadPool(threads), true);
  }
  void operator()(void* elements, std::uint64_t n) override {
    T* const begin = static_cast<T*>(elements);
    if (parallel_) {
      (*parallel_)(begin, begin + n);
    } else {
      ips4o::sort(begin, begin + n, ByKey{});
    }
  }

 private:
  /// The library's sorter for repeated calls, which keeps its threads and buffers.
  std::optional<ips4o::ParallelSorter<ips4o::ExtendedConfig<T*, ByKey, ips4o::Config<>>>> parallel_;
};

}  // namespace

std::unique_ptr<Sort> ips4o(KeyType key, ValueType value, int threads) {
  return make_sort<Ips4o>(key, value, threads);
}

}  // namespace sortlab::external

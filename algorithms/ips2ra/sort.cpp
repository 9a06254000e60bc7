#include <ips2ra.hpp>
#include <optional>

#include "algorithms/common/adapters/external_sort.hpp"

namespace sortlab::external {
namespace {

template <class K, class T>
class Ips2ra final : public Sort {
 public:
  explicit Ips2ra(int threads) {
    if (threads > 1) parallel_.emplace(OrderedKey<K>{}, ips2ra::DefaultThreadPool(threads));
  }
  void operator()(void* elements, std::uint64_t n) override {
    T* const begin = static_cast<T*>(elements);
    if (parallel_) {
      (*parallel_)(begin, begin + n);
    } else {
      ips2ra::sort(begin, begin + n, OrderedKey<K>{});
    }
  }

 private:
  /// The library's sorter for repeated calls, which keeps its threads and buffers.
  std::optional<ips2ra::ParallelSorter<ips2ra::ExtendedConfig<T*, OrderedKey<K>, ips2ra::Config<>>>> parallel_;
};

}  // namespace

std::unique_ptr<Sort> ips2ra(KeyType key, ValueType value, int threads) {
  return make_sort<Ips2ra>(key, value, threads);
}

}  // namespace sortlab::external

#include <parlay/primitives.h>

#include <semaphore>
#include <thread>

#include "algorithms/common/adapters/external_sort.hpp"

namespace sortlab::external {
namespace {

/// A sort with its own thread. ParlayLib finds its scheduler through the calling thread; a scheduler that is created in
/// each call would restart its workers.
template <class K, class T>
class IntegerSort final : public Sort {
 public:
  explicit IntegerSort(int threads) : caller_([this, threads] { serve(threads); }) { done_.acquire(); }
  ~IntegerSort() override {
    over_ = true;
    asked_.release();
    caller_.join();
  }
  void operator()(void* elements, std::uint64_t n) override {
    elements_ = static_cast<T*>(elements);
    n_ = n;
    asked_.release();
    done_.acquire();
  }

 private:
  void serve(int threads) {
    parlay::internal::scheduler_type scheduler(static_cast<std::size_t>(threads));
    done_.release();
    for (asked_.acquire(); !over_; asked_.acquire()) {
      parlay::integer_sort_inplace(parlay::make_slice(elements_, elements_ + n_), OrderedKey<K>{});
      done_.release();
    }
  }

  T* elements_ = nullptr;
  std::uint64_t n_ = 0;
  bool over_ = false;
  std::binary_semaphore asked_{0};
  std::binary_semaphore done_{0};
  std::thread caller_;
};

}  // namespace

std::unique_ptr<Sort> parlaylib_integer_sort(KeyType key, ValueType value, int threads) {
  return make_sort<IntegerSort>(key, value, threads);
}

}  // namespace sortlab::external

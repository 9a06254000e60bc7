// Common parts of the plug-ins for Boost.Sort.
#pragma once

#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {

inline constexpr const char* kBoostVersion = "Boost " BOOST_LIB_VERSION;

/// A sort that starts its threads in each call, where they inherit the processors of the caller. Call: a function
/// object of (begin, end, order, threads) that calls the library.
template <class Call>
class BoostThreads : public CommonTypes {
 public:
  explicit BoostThreads(const Resources& resources)
      : threads_(static_cast<std::uint32_t>(resources.threads)), cpus_(resources.cpus) {}

  template <class T, class Less>
  void operator()(std::span<T> elements, Less less) const {
    const Pinned allowed{cpus_};
    Call{}(elements.begin(), elements.end(), less, threads_);
  }

 private:
  std::uint32_t threads_;
  std::vector<int> cpus_;
};

/// A stable parallel sort, of which each type takes 3 s to compile.
template <class Call>
struct StableBoostThreads : BoostThreads<Call> {
  using BoostThreads<Call>::BoostThreads;
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>() && std::is_integral_v<K>;
};

/// Info of a stable parallel sort of the library.
inline Info stable_boost_info(std::string name, std::string title, std::string source) {
  return {.name = std::move(name),
          .title = std::move(title),
          .source = std::move(source),
          .family = "merge",
          .version = kBoostVersion,
          .parallel = true,
          .stable = true,
          .allocates_inside = true};
}

}  // namespace sortlab

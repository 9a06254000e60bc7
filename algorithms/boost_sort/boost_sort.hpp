// Common parts of the plug-ins for Boost.Sort.
#pragma once

#include <boost/version.hpp>

#include "algorithms/common/adapters/simple_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {

inline constexpr const char* kBoostVersion = "Boost " BOOST_LIB_VERSION;

/// The base of a sort that starts its threads in each call, where they inherit the processors of the caller.
class BoostThreads : public CommonTypes {
 public:
  explicit BoostThreads(const Resources& resources)
      : threads_(static_cast<std::uint32_t>(resources.threads)), cpus_(resources.cpus) {}

 protected:
  /// Calls `sort` with the number of threads.
  template <class Sort>
  void with_threads(const Sort& sort) const {
    const Pinned allowed{cpus_};
    sort(threads_);
  }

 private:
  std::uint32_t threads_;
  std::vector<int> cpus_;
};

/// The base of a stable parallel sort, of which each type takes 3 s to compile.
struct StableBoostThreads : BoostThreads {
  using BoostThreads::BoostThreads;
  template <class K, class V>
  static constexpr bool offers = is_common_type<K, V>() && std::is_integral_v<K>;
};

}  // namespace sortlab

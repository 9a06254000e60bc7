// The plug-in for an external sort that is compiled into a separate object.
#pragma once

#include "algorithms/common/adapters/external_sort.hpp"
#include "algorithms/common/adapters/library_sort.hpp"
#include "core/affinity.hpp"

namespace sortlab {

/// True if this processor runs code compiled with -march=haswell. Tests three of its features, which occur only
/// together.
inline bool runs_haswell_code() {
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
}

/// Sorts elements in place with code compiled for -march=haswell.
class ExternalAlgorithm final : public LibrarySort {
 public:
  /// `total_order`: true if the sort orders NaN, and -0 before +0.
  ExternalAlgorithm(Info info, external::MakeSort make, bool total_order)
      : LibrarySort(
            std::move(info),
            [](KeyType key, ValueType value) {
              return with_types(key, value, []<class K, class V>() { return is_common_type<K, V>(); });
            },
            total_order),
        make_(make) {}

  std::optional<std::string> unavailable() const override {
    if (runs_haswell_code()) return std::nullopt;
    return "the processor lacks AVX2, BMI2 or FMA, for which it was compiled";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    const Pinned allowed{resources.cpus};  // inherited by the threads that it starts
    return std::make_unique<Ready>(make_(problem.key, problem.value, resources.threads), resources.cpus);
  }

 private:
  class Ready final : public Sorter {
   public:
    Ready(std::unique_ptr<external::Sort> sort, std::vector<int> cpus)
        : sort_(std::move(sort)), cpus_(std::move(cpus)) {}
    Buffers sort(Buffers data, PhaseTimer&) override {
      const Pinned allowed{cpus_};
      (*sort_)(data.keys.data, data.keys.count);
      return data;
    }

   private:
    std::unique_ptr<external::Sort> sort_;
    std::vector<int> cpus_;
  };

  external::MakeSort make_;
};

}  // namespace sortlab

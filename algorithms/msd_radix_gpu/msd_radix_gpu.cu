#include "algorithms/msd_radix_gpu/device_shared.cuh"
#include "algorithms/msd_radix_gpu/make_sorter.cuh"
#include "algorithms/msd_radix_gpu/make_stable_sorter.cuh"

namespace sortlab {

std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem& problem, const Parameters& parameters,
                                           const Resources& resources) {
  msd_gpu::check_shared_memory();
  const bool stable = parameters.word("stable") == "yes";
  const msd_gpu::Plan plan =
      msd_gpu::make_plan(problem.n, byte_size(problem.key), byte_size(problem.value), parameters.word("regime"),
                         static_cast<int>(parameters.integer("top_bits")));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      // Equal keys without values are indistinguishable.
      if constexpr (!std::is_same_v<V, NoValue>) {
        if (stable) return msd_gpu::make_stable_sorter<Word, V>(problem, order, resources);
      }
      return msd_gpu::make_sorter<Word, V>(problem, plan, order, resources);
    });
  });
}

std::unique_ptr<BucketSorter> make_bucket_sorter(const Problem& problem, bool stable, const Resources& resources) {
  msd_gpu::check_shared_memory();
  const std::uint32_t key_bytes = byte_size(problem.key), value_bytes = byte_size(problem.value);
  // Buckets are a better start than a wide partition.
  const bool is_large = problem.n > msd_gpu::one_level_elements(key_bytes, value_bytes);
  const msd_gpu::Plan plan = is_large
                                 ? msd_gpu::make_plan(problem.n, key_bytes, value_bytes, msd_gpu::Regime::partitions)
                                 : msd_gpu::make_plan(problem.n, key_bytes, value_bytes);
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<BucketSorter> {
      if constexpr (!std::is_same_v<V, NoValue>) {
        if (stable) return msd_gpu::make_stable_bucket_sorter<Word, V>(problem, order, resources);
      }
      return msd_gpu::make_bucket_sorter<Word, V>(problem, plan, order, resources);
    });
  });
}

std::unique_ptr<TopCounter> make_top_counter(KeyType key, const Resources& resources) {
  msd_gpu::check_shared_memory();
  return with_key_order(
      key, [&]<class Word>(KeyOrder<Word> order) { return msd_gpu::make_top_counter<Word>(order, resources); });
}

}  // namespace sortlab

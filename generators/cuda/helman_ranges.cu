// Keys from ranges that depend on the processor: bucket, g_group, staggered and worst_regular.
#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/formulas/processor_ranges.hpp"
#include "generators/formulas/worst_regular.hpp"

namespace sortlab {
namespace {

template <class Rule>
void fill_ranges(const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key,
                [&]<class K>() { make_keys(ProcessorRangeKeys<K, Rule>{input}, input.seed, input.n, keys, stream); });
}

void fill_worst_regular(const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key,
                [&]<class K>() { make_keys(WorstRegularKeys<K>{input}, input.seed, input.n, keys, stream); });
}

const RegisterDeviceFill bucket{"bucket", fill_ranges<BucketRule>};
const RegisterDeviceFill group{"g_group", fill_ranges<GroupRule>};
const RegisterDeviceFill staggered{"staggered", fill_ranges<StaggeredRule>};
const RegisterDeviceFill worst_regular{"worst_regular", fill_worst_regular};

}  // namespace
}  // namespace sortlab

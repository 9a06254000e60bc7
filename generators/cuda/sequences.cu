// Keys that are a formula of their position: constant, zero, iota, organ_pipe, deterministic_duplicates; and record
// ids.
#include "generators/formulas/sequences.hpp"

#include "generators/cuda/make_keys.cuh"
#include "generators/cuda/register_device_fill.hpp"
#include "generators/device_fill.hpp"
#include "generators/formulas/duplicates.hpp"

namespace sortlab {
namespace {

template <class Sequence>
void make_sequence(const Sequence& sequence, const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key,
                [&]<class K>() { make_keys(SequenceKeys<K, Sequence>{sequence}, input.seed, input.n, keys, stream); });
}

void fill_constant(const Input& input, void* keys, cudaStream_t stream) {
  make_sequence(ConstantSequence{static_cast<std::uint64_t>(input.parameters.integer("value"))}, input, keys, stream);
}

void fill_zero(const Input& input, void* keys, cudaStream_t stream) {
  make_sequence(ConstantSequence{0}, input, keys, stream);
}

template <class Sequence>
void fill_sequence(const Input& input, void* keys, cudaStream_t stream) {
  make_sequence(Sequence{input.n}, input, keys, stream);
}

void fill_deterministic_duplicates(const Input& input, void* keys, cudaStream_t stream) {
  with_key_type(input.key, [&]<class K>() {
    make_keys(DeterministicDuplicateKeys<K>{input.n, deterministic_blocks(input)}, input.seed, input.n, keys, stream);
  });
}

const RegisterDeviceFill constant{"constant", fill_constant};
const RegisterDeviceFill zero{"zero", fill_zero};
const RegisterDeviceFill iota{"iota", fill_sequence<IotaSequence>};
const RegisterDeviceFill organ_pipe{"organ_pipe", fill_sequence<OrganPipeSequence>};
const RegisterDeviceFill deterministic{"deterministic_duplicates", fill_deterministic_duplicates};

}  // namespace

void fill_values_on_device(ValueType type, std::uint64_t n, void* values, void* stream) {
  if (n == 0 || type == ValueType::none) return;
  const auto on = static_cast<cudaStream_t>(stream);
  // Ids wrap for u32, as the conversion of unsigned integers does.
  with_value_type(type, [&]<class V>() {
    if constexpr (!std::is_same_v<V, NoValue>) {
      make_keys(SequenceKeys<V, IotaSequence>{IotaSequence{n}}, 0, n, values, on);
    }
  });
}

}  // namespace sortlab

#pragma once
#include "generators/distribution.hpp"
namespace sortlab {
void fill_on_device(const NamedDistribution& distribution, const Input& input, void* keys, void* stream);
void fill_values_on_device(ValueType type, std::uint64_t n, void* values, void* stream);
}

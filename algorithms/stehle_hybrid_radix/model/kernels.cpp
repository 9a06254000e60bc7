#include "algorithms/stehle_hybrid_radix/model/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace sortlab {

using namespace hybrid_radix;
using hybrid_buckets::Local;

double class_end(const LocalClasses& classes, std::size_t size_class, const Settings& settings) {
  return std::min<double>(classes.shapes[size_class].keys(), settings.local_keys);
}

double capacity(bool by_rank, const LocalClasses& classes, std::size_t size_class, const Settings& settings,
                ElementBytes bytes) {
  if (by_rank) return classes.shapes[size_class].keys();
  const auto shapes = local_shapes(LocalSort::block_radix, static_cast<std::uint32_t>(bytes.key),
                                   static_cast<std::uint32_t>(bytes.value));
  const auto holds = [&](const Shape& shape) { return shape.keys() >= class_end(classes, size_class, settings); };
  return std::ranges::find_if(shapes, holds)->keys();
}

double count_comparisons(const Local& local, double class_keys) {
  const double shared = local.ones * local.ones + (1 - local.ones) * (1 - local.ones);  // a bit, by two keys
  return local.keys / local.buckets * std::pow(shared, std::floor(std::log2(class_keys)));
}

bool is_left(const Local& local, double class_keys) {
  return count_comparisons(local, class_keys) > max_comparisons(local.bits);
}

}  // namespace sortlab

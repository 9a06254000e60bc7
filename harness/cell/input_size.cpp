#include "harness/cell/input_size.hpp"

#include <map>
#include <mutex>
#include <thread>
#include <tuple>

#include "generators/record_distribution.hpp"

namespace sortlab {

std::uint64_t input_bytes(const Case& c) {
  if (c.key == KeyType::string) return record_bytes(c.distribution, c.n, c.seed);
  return c.n * (byte_size(c.key) + byte_size(c.value));
}

std::uint64_t record_bytes(const NamedDistribution& named, std::uint64_t n, std::uint64_t seed) {
  const auto* const records = dynamic_cast<const RecordDistribution*>(named.distribution);
  const Input input{.key = KeyType::string, .n = n, .seed = seed, .parameters = named.parameters};
  if (records == nullptr || records->declines(input)) return 0;
  static std::mutex counting;
  static std::map<std::tuple<std::string, std::uint64_t, std::uint64_t>, std::uint64_t> counted;
  const std::scoped_lock lock{counting};
  const auto [found, is_new] = counted.try_emplace({named.text, n, seed}, 0);
  if (is_new) found->second = records->total_bytes(input, static_cast<int>(std::thread::hardware_concurrency()));
  return found->second;
}

}  // namespace sortlab

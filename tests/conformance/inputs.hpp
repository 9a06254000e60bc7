// The inputs of the conformance suite: every registered distribution at its defaults, and adversarial inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab {

/// Keys of one type, as bytes aligned for any of them; of strings the Records, and the bytes they lie in.
struct Keys {
  std::vector<uint128> storage;
  std::uint64_t count = 0;
  bool needs_total_order = false;  ///< floats with NaN, or with -0
  std::vector<std::uint8_t> bytes{};
};

struct TestInput {
  std::string name;
  /// The keys, or nothing if this input does not exist for this type and n.
  std::function<std::optional<Keys>(KeyType, std::uint64_t n)> make;
};

/// Those of keys of fixed width, or those of strings.
const std::vector<TestInput>& all_test_inputs();
const std::vector<TestInput>& all_string_inputs();

}  // namespace sortlab

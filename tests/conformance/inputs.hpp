// The inputs of the conformance suite: every registered distribution at its defaults, and adversarial inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/key_types.hpp"

namespace sortlab {

/// Keys of one type, in bytes aligned for any key type; for strings, the Records and their bytes.
struct Keys {
  std::vector<uint128> storage;
  std::uint64_t count = 0;
  bool needs_total_order = false;  ///< true for floats with NaN or -0
  std::vector<std::uint8_t> bytes{};
};

struct TestInput {
  std::string name;
  /// The keys, or nullopt if this input does not exist for this type and n.
  std::function<std::optional<Keys>(KeyType, std::uint64_t n)> make;
};

/// The inputs of keys of fixed width, or of strings.
const std::vector<TestInput>& all_test_inputs();
const std::vector<TestInput>& all_string_inputs();

}  // namespace sortlab

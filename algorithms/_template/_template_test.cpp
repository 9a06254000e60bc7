// Tests beyond the conformance suite: the plan, and that the model charges by it.
#include <gtest/gtest.h>

#include "algorithms/_template/plan.hpp"
#include "tests/models/loops/cpu_models_test.hpp"

namespace sortlab {
namespace {

TEST(Plan, SortsByEveryBitOfTheKey) {
  for (const KeyType key : kKeyTypes) {
    const LsdDigits digits = _template::lsd_digits(byte_size(key));
    EXPECT_EQ(digits.passes() * _template::kDigitBits, 8 * static_cast<int>(byte_size(key)));
  }
}

TEST(Model, ChargesEachElementAScatterInEachPassOfThePlan) {
  const Workload workload{.algorithm = "_template", .key = KeyType::u64, .n = 1000, .parameters = {}};
  const MachineProfile invented = machine({{"_template.scatter", constant({"key", "value"}, 3 * kNano)}});
  const Prediction prediction = predicted(workload, "uniform", invented);
  EXPECT_NEAR(prediction.seconds, _template::lsd_digits(8).passes() * 1000 * 3 * kNano, 1e-12);
}

}  // namespace
}  // namespace sortlab

// The model on a calibrated H100 with invented links.
#include <cmath>

#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"

namespace sortlab {
namespace {

constexpr double kLink = 350e9;  // B/s

MachineProfile linked_gpu(double rate) {
  MachineProfile gpu =
      *read_profile(SORTLAB_SOURCE_DIR "/results/reference/intel-xeon-emeraldrapids-16c-f8c882fd/h100/profile.json")
           .device();
  gpu.tables["peer.write"] = constant({"run_bytes"}, rate);
  gpu.tables["peer.copy"] = constant({"bytes"}, rate);
  return gpu;
}

Workload keys(std::uint64_t n, int devices, const GivenParameters& given = {}) {
  return {.algorithm = "multi_gpu_radix",
          .key = KeyType::u32,
          .value = ValueType::none,
          .n = n,
          .threads = 1,
          .devices = devices,
          .parameters = papers("multi_gpu_radix", given)};
}

double phase_seconds(const Prediction& prediction, std::string_view phase) {
  double seconds = 0;
  for (const PhasePrediction& one : prediction.phases) seconds += one.name == phase ? one.seconds : 0;
  return seconds;
}

constexpr std::uint64_t kN = 1'000'000'000;

TEST(MultiGpuModel, SendsTheShareOfTheOtherDevicesOverTheLink) {
  for (const int devices : {2, 4, 8}) {
    const Prediction made = predicted("multi_gpu_radix", linked_gpu(kLink), keys(kN * devices / 2, devices));
    expect_phases("multi_gpu_radix", made);
    const double sent = 4.0 * kN / 2 * (devices - 1) / devices;
    EXPECT_NEAR(phase_seconds(made, "exchange"), sent / kLink, 1e-9) << devices;
  }
}

double seconds_on_one(const MachineProfile& gpu, std::uint64_t n) {
  Workload alone = keys(n, 1);
  alone.algorithm = "msd_radix_gpu";
  alone.parameters = resolve("msd_radix_gpu", algorithm_named("msd_radix_gpu").info().parameters,
                             {{"regime", "partitions"}, {"top_bits", "0"}});
  return predicted("msd_radix_gpu", gpu, alone).seconds;
}

TEST(MultiGpuModel, HasAShareOfOneDevicesTimeWhereTheLinkIsNoLimit) {
  const MachineProfile gpu = linked_gpu(1e15);
  const double half = seconds_on_one(gpu, kN) / 2;
  EXPECT_NEAR(predicted("multi_gpu_radix", gpu, keys(kN, 2)).seconds, half, 1e-9 * half);
  const Prediction copied = predicted("multi_gpu_radix", gpu, keys(kN, 2, {{"transport", "copy"}}));
  EXPECT_GT(copied.seconds, 1.2 * seconds_on_one(gpu, kN / 2)) << "it partitions once more, and counts";
}

TEST(MultiGpuModel, CountsEqualKeysToTheirLastBit) {
  const DistributionView constant_keys{parse_distribution("constant"), KeyType::u32, kN, 1};
  const Prediction made = model_named("multi_gpu_radix").predict(keys(kN, 2), constant_keys, linked_gpu(kLink));
  EXPECT_EQ(std::ranges::count(made.phases, "count", &PhasePrediction::name), 3);
}

TEST(MultiGpuModel, DeclinesWhatItDoesNotCover) {
  const MachineProfile gpu = linked_gpu(kLink);
  EXPECT_THROW(predicted("multi_gpu_radix", gpu, keys(kN, 2, {{"stable", "yes"}})), BadInput);
  EXPECT_THROW(predicted("multi_gpu_radix", gpu, keys(kN, 2, {{"transport", "nccl"}})), BadInput);
  EXPECT_THROW(predicted("multi_gpu_radix", gpu, keys(kN, 0)), BadInput);
  EXPECT_THROW(predicted("multi_gpu_radix", gpu, keys(1 << 20, 2)), BadInput);
  MachineProfile unlinked = gpu;
  unlinked.tables.erase("peer.write");
  EXPECT_THROW(predicted("multi_gpu_radix", unlinked, keys(kN, 2)), MissingQuantity);
}

}  // namespace
}  // namespace sortlab

// A prediction for a device sort reads the device's part of the machine's profile, and joins measurements on the
// machine.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "harness/commands/command_line.hpp"
#include "models/model.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// A model that predicts the time of ten launches, for a device sort and a host sort.
class TenLaunches final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "ten_launches",
                                .title = "a test",
                                .source = "this test",
                                .algorithms = {"planted_device_sort", "planted_sort"},
                                .kind = ModelKind::hardware};
    return info;
  }
  Prediction predict(const Workload&, const DistributionView&, const MachineProfile& machine) const override {
    return {.seconds = 10 * machine.at("launch"), .phases = {}};
  }
};
const RegisterModel registered{std::make_unique<TenLaunches>()};

struct Outcome {
  int status = 0;
  std::string errors;
  std::vector<nlohmann::json> records;
};

Outcome predict(const char* algorithm, const std::string& machine) {
  const fs::path out = fs::temp_directory_path() / ("sortlab_predict_" + std::to_string(getpid()) + ".jsonl");
  const std::string file = out.string();
  const char* const arguments[] = {"sortlab",   "predict",       "--algorithm", algorithm,      "--n",   "1M",
                                   "--machine", machine.c_str(), "--model",     "ten_launches", "--out", file.c_str()};
  testing::internal::CaptureStderr();
  Outcome outcome;
  outcome.status = run_command_line(static_cast<int>(std::size(arguments)), arguments);
  outcome.errors = testing::internal::GetCapturedStderr();
  std::ifstream lines{out};
  for (std::string line; std::getline(lines, line);) outcome.records.push_back(nlohmann::json::parse(line));
  fs::remove(out);
  return outcome;
}

const std::string kMachine = SORTLAB_SOURCE_DIR "/tests/data/machine_with_device.json";

TEST(PredictDevice, ReadsTheDevicesProfile) {
  const Outcome outcome = predict("planted_device_sort", kMachine);
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  ASSERT_EQ(outcome.records.size(), 1U);
  const nlohmann::json& record = outcome.records[0];
  EXPECT_DOUBLE_EQ(record["seconds"], 2e-5);
  EXPECT_EQ(record["profile"]["id"], "invented-host");  // the machine of measurements
  EXPECT_EQ(record["profile"]["name"], "Invented GPU");
  EXPECT_EQ(record["profile"]["hash"], read_profile(kMachine).devices[0].hash);
  EXPECT_DOUBLE_EQ(record["cpe_wall"], 1e9 * 2e-5 / (1 << 20));
  EXPECT_DOUBLE_EQ(record["cpe_core"], 10 * 1e9 * 2e-5 / (1 << 20));
  EXPECT_DOUBLE_EQ(record["baselines"]["bytes_over_copy_s"], 2.0 * 4 * (1 << 20) / 500e9);
}

TEST(PredictDevice, ASortOnTheHostReadsTheHosts) {
  const Outcome outcome = predict("planted_sort", kMachine);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("the profile of Invented host has no quantity 'launch'"), std::string::npos)
      << outcome.errors;
}

TEST(PredictDevice, APapersGpuIsItsOwnDevice) {
  const Outcome outcome = predict("planted_device_sort", "titan_x_pascal");
  EXPECT_NE(outcome.errors.find("Titan X (Pascal) has no quantity 'launch'"), std::string::npos) << outcome.errors;
}

TEST(PredictDevice, AMachineWithoutADeviceSaysSo) {
  MachineProfile host = read_profile(kMachine);
  host.devices.clear();
  const fs::path path = fs::temp_directory_path() / ("sortlab_host_" + std::to_string(getpid()) + ".json");
  write_profile(host, path.string());
  const Outcome outcome = predict("planted_device_sort", path.string());
  fs::remove(path);
  EXPECT_EQ(outcome.status, 2);
  EXPECT_NE(outcome.errors.find("the profile of Invented host has no device; `sortlab calibrate --only device`"),
            std::string::npos)
      << outcome.errors;
}

}  // namespace
}  // namespace sortlab

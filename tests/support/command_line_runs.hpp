// Fixture of tests that run `sortlab` in their own process and read the records that it wrote.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/temporary_folder.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/command_line_answer.hpp"

namespace sortlab {

/// A folder with a config and a file of records.
class CommandLineRuns : public ::testing::Test {
 protected:
  void configure(const std::string& algorithms, const std::string& n = "100,1000") const {
    std::ofstream{config_} << R"({"name":"t","protocol":{"samples":3},"sweeps":[{"algorithms":[)" << algorithms
                           << R"(],"keys":["u32","u64"],"n":[)" << n << R"(],"distributions":["uniform"]}]})";
  }
  std::vector<nlohmann::ordered_json> measurements(const std::string& path) const {
    std::vector<nlohmann::ordered_json> found;
    for (nlohmann::ordered_json& record : read_records(path).records) {
      if (record["kind"] == "measurement") found.push_back(std::move(record));
    }
    return found;
  }

  const TemporaryFolder folder_;
  const std::string config_ = folder_.file("config.json");
  const std::string out_ = folder_.file("records.jsonl");
};

}  // namespace sortlab

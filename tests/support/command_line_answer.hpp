// Runs `sortlab` in the process of the test.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "harness/commands/command_line.hpp"

namespace sortlab {

struct Answer {
  int status = 0;
  std::string out;
  std::string error;
  /// The output, parsed as JSON lines.
  std::vector<nlohmann::ordered_json> lines() const {
    std::vector<nlohmann::ordered_json> all;
    std::istringstream stream{out};
    for (std::string line; std::getline(stream, line);) all.push_back(nlohmann::ordered_json::parse(line));
    return all;
  }
};

/// Runs `sortlab` with these arguments.
inline Answer sortlab_with(std::vector<std::string> words) {
  words.insert(words.begin(), "sortlab");
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  argv.push_back(nullptr);
  ::testing::internal::CaptureStdout();
  ::testing::internal::CaptureStderr();
  Answer answer;
  answer.status = run_command_line(static_cast<int>(words.size()), argv.data());
  answer.out = ::testing::internal::GetCapturedStdout();
  answer.error = ::testing::internal::GetCapturedStderr();
  return answer;
}

}  // namespace sortlab

// The main() of every test. A supervisor inside a test starts the same program as `TEST worker …`, which then acts as
// sortlab.
#include <gtest/gtest.h>

#include "harness/commands/command_line.hpp"

int main(int argc, char** argv) {
  if (argc > 1 && argv[1][0] != '-') return sortlab::run_command_line(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

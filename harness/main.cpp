#include "harness/commands/command_line.hpp"

int main(int argc, char** argv) {
  return sortlab::run_command_line(argc, argv);
}

// Finds a run's processes, for tests that stop or kill them.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "harness/run/worker.hpp"

namespace sortlab {

/// The worker of a supervisor: its child of that name, or 0. There are other children: a worker before its exec, and
/// the process by which a leak check stops the program.
inline pid_t find_worker(pid_t supervisor) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file{entry.path() / "stat"};
    std::string pid;
    std::string name;
    std::string state;
    pid_t parent = 0;
    if (!(file >> pid >> name >> state >> parent) || parent != supervisor) continue;
    std::ifstream words{entry.path() / "cmdline"};
    std::string word;
    while (std::getline(words, word, '\0')) {
      if (word == kWorkerCommand) return std::stoi(pid);
    }
  }
  return 0;
}

}  // namespace sortlab

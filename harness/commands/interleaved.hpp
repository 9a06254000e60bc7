// Measures a config by two programs that take their samples in turn.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "core/temporary_folder.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {

struct InterleavedRun {
  std::string config{};
  std::string filter{};  ///< filter of `run`
  std::string out{};     ///< new folder for the records; empty: they are not kept
  int samples = 100;     ///< samples of each cell, by each program
  int processes = 5;     ///< workers of each program that take them
};

/// Records of both programs, which last as long as the object unless they are kept.
struct InterleavedRecords {
  std::filesystem::path a;
  std::filesystem::path b;
  std::unique_ptr<TemporaryFolder> folder;
};

/// Runs `run` of both programs at once, until `stop`, which must be held, catches a signal: both are then asked to end,
/// and a second one ends them. Throws BadInput if the folder exists, or a program cannot be run or does not end as
/// `run` does.
InterleavedRecords measure_interleaved(const std::string& program_a, const std::string& program_b,
                                       const InterleavedRun& asked, const StopSignals& stop);

/// Says after a signal, once both have ended, what is kept and how to go on: "what … holds is kept; …".
std::string kept_after_signal(const InterleavedRun& asked);

}  // namespace sortlab

// The progress of a run on standard error: one changing line on a terminal, plain lines otherwise.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "core/printable.hpp"
#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

class Progress {
 public:
  /// `cells`: number of cells to run. `estimate_s`: their estimated time. If `quiet`, nothing is shown.
  Progress(std::size_t cells, double estimate_s, bool quiet);

  /// A sample of `cell` has arrived.
  void running(const Cell& cell);
  /// `share` of the samples of `cell`, which was estimated to take `estimate_s` seconds, are taken.
  void partly(const Cell& cell, double share, double estimate_s);
  /// `cell`, which was estimated to take `estimate_s` seconds, is done.
  void finished(const Cell& cell, const CellResult& result, double estimate_s);

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left() const;

  std::size_t cells_;
  std::size_t done_ = 0;
  double estimate_s_;
  double estimate_done_s_ = 0;
  std::map<const Cell*, double> counted_s_;  ///< part of estimate_done_s_ of each cell in progress
  bool quiet_;
  StatusLine line_{};
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_{};
};

}  // namespace sortlab

// The progress of a run: one changing line on a terminal, plain lines otherwise. All on standard error.
#pragma once

#include <chrono>
#include <string>

#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"

namespace sortlab {

class Progress {
 public:
  /// `cells` to do, which should take `estimate_s` seconds. A quiet one says nothing.
  Progress(std::size_t cells, double estimate_s, bool quiet);
  ~Progress();  ///< leaves the terminal's line clean
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A sample of `cell` came in.
  void running(const Cell& cell);
  /// `cell`, expected to take `estimate_s` seconds, is done.
  void finished(const Cell& cell, const CellResult& result, double estimate_s);

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left() const;
  void wipe();

  std::size_t cells_;
  std::size_t done_ = 0;
  double estimate_s_;
  double estimate_done_s_ = 0;
  bool quiet_;
  bool terminal_;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point drawn_{};
};

}  // namespace sortlab

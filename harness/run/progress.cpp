#include "harness/run/progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/cell/case_text.hpp"
#include "harness/record/measurement.hpp"
#include "harness/run/duration.hpp"

namespace sortlab {
namespace {

std::string outcome(const Cell& cell, const CellResult& result) {
  if (result.status != Status::ok) return fmt::format("{}: {}", to_name(result.status), result.reason);
  const Measured m = measured(cell, result);
  return fmt::format("{} [{}, {}] of {}", duration_text(m.median_s), duration_text(m.ci95_s[0]),
                     duration_text(m.ci95_s[1]), m.samples_s.size());
}

}  // namespace

Progress::Progress(std::size_t cells, double estimate_s, bool quiet)
    : cells_(cells), estimate_s_(estimate_s), quiet_(quiet) {}

void Progress::running(const Cell& cell) {
  if (quiet_ || !line_.is_shown() || Clock::now() - drawn_ < std::chrono::milliseconds{100}) return;
  drawn_ = Clock::now();
  line_.show(fmt::format("cell {} of {}, {} left: {}", done_ + 1, cells_, time_left(), case_text(cell.subject)));
}

void Progress::partly(const Cell& cell, double share, double estimate_s) {
  double& counted_s = counted_s_[&cell];
  estimate_done_s_ += share * estimate_s - counted_s;
  counted_s = share * estimate_s;
}

void Progress::finished(const Cell& cell, const CellResult& result, double estimate_s) {
  ++done_;
  partly(cell, 1, estimate_s);
  counted_s_.erase(&cell);
  if (quiet_) return;
  line_.wipe();
  tell(fmt::format("cell {} of {}, {} left: {}: {}", done_, cells_, time_left(), case_text(cell.subject),
                   outcome(cell, result)));
}

/// The estimate of the remaining time, corrected by the error of the estimate so far.
std::string Progress::time_left() const {
  const double taken = std::chrono::duration<double>(Clock::now() - begin_).count();
  const double correction = estimate_done_s_ > 0 ? std::clamp(taken / estimate_done_s_, 0.1, 10.0) : 1.0;
  const double left = (estimate_s_ - estimate_done_s_) * correction;
  return left < 1e-3 ? "0 s" : duration_text(left);  // rounding errors are not a remaining time
}

}  // namespace sortlab

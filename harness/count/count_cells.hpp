// Runs the sorts of cells under a tool that counts their operations.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/cell/result.hpp"
#include "harness/count/ncu.hpp"
#include "harness/count/phase_counts.hpp"

namespace sortlab {

struct CellCounts {
  Status status = Status::failed;
  std::string reason;  ///< in words, unless ok
  nlohmann::ordered_json device{};
  nlohmann::ordered_json entropy_bits{};
  nlohmann::ordered_json verification{};
  std::uint64_t scratch_bytes = 0;
  std::string simd{};                 ///< widest instruction set that a host sort found under the tool
  std::vector<PhaseCounts> phases{};  ///< only if ok
};

/// A counting tool under which, or with which, our program runs.
class CountingTool {
 public:
  /// Results of the first cells, as far as the program came, and the tool's error message.
  struct Told {
    std::vector<CellCounts> cells;
    std::string complaint{};
    bool too_long = false;
  };

  virtual ~CountingTool() = default;
  virtual std::string name() const = 0;
  /// Description of the tool for the record.
  virtual nlohmann::ordered_json description() const = 0;
  /// Runs `sortlab counted` on the cells in `task`. Throws CountingFailed if the tool cannot start.
  virtual Told run(const std::string& task, const std::string& answers,
                   const std::function<bool()>& too_long) const = 0;
};

/// Sorts each cell while the tool counts. The cells must share an input. A sort that crashes the program loses only its
/// own cell. Once `is_stopped`, which is polled several times a second, the tool is ended, and only the cells that are
/// done are returned. Throws CountingFailed if the tool cannot count on this machine.
std::vector<CellCounts> count_cells(
    const std::vector<Cell>& cells, const CountingTool& tool,
    const std::function<bool()>& is_stopped = [] { return false; });

/// Reads the results of the first cells from `answers` (counted_sorts.hpp), as far as the run under `tool` came. The
/// last cell is "crashed" if its sort began and did not end. `phases` returns a sort's phases from its answer. It is
/// called in turn for every completed sort, right or wrong.
std::vector<CellCounts> cells_answered(
    const std::string& answers, const std::string& tool,
    const std::function<std::vector<PhaseCounts>(const nlohmann::ordered_json& answer)>& phases);

/// Reads the "spans" of an answer.
std::vector<CountedSpan> spans_in(const nlohmann::ordered_json& answer);

/// Path of this program.
std::string own_program();

/// The command line of a counting process: this program with the modules that it has loaded, kCountedCommand, and then
/// `words`.
std::vector<std::string> counting_process(const std::vector<std::string>& words);

struct WhatToCount {
  std::vector<std::string> metrics;
  int passes = 0;  ///< number of first passes of each phase to count; 0: all
};

/// ncu, which counts every kernel on device 0.
class NcuTool final : public CountingTool {
 public:
  NcuTool(Ncu ncu, WhatToCount what) : ncu_(std::move(ncu)), what_(std::move(what)) {}
  std::string name() const override { return "ncu"; }
  nlohmann::ordered_json description() const override;
  Told run(const std::string& task, const std::string& answers, const std::function<bool()>& too_long) const override;

 private:
  Ncu ncu_;
  WhatToCount what_;
};

/// Reads the results of the first cells from `answers` and from `log` (kernel_rows.hpp) of a run under ncu.
std::vector<CellCounts> cells_counted(const std::string& answers, const std::string& log,
                                      const std::vector<std::string>& metrics);

}  // namespace sortlab

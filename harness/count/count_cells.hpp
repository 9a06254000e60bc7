// Runs the sorts of cells under a tool that counts their operations, and returns the outcome of each.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/count/ncu.hpp"
#include "harness/count/phase_counts.hpp"

namespace sortlab {

struct CellCounts {
  std::string status;  ///< ok, wrong, failed, crashed or timeout
  std::string reason;  ///< in words, unless ok
  nlohmann::ordered_json device{};
  nlohmann::ordered_json entropy_bits{};
  nlohmann::ordered_json verification{};
  std::uint64_t scratch_bytes = 0;
  std::string simd{};                 ///< the widest instructions that the sort found there; on the host
  std::vector<PhaseCounts> phases{};  ///< only if ok
};

/// A counting tool: our program runs under it, or with it.
class CountingTool {
 public:
  /// The outcome of the first cells, as far as the program came, and the tool's complaint.
  struct Told {
    std::vector<CellCounts> cells;
    std::string complaint{};
    bool too_long = false;
  };

  virtual ~CountingTool() = default;
  virtual std::string name() const = 0;
  /// For the record.
  virtual nlohmann::ordered_json description() const = 0;
  /// Runs `sortlab counted` on the cells in `task`. Throws CountingFailed if the tool cannot start.
  virtual Told run(const std::string& task, const std::string& answers,
                   const std::function<bool()>& too_long) const = 0;
};

/// Sorts each cell with the tool counting. The cells must share an input. A sort that crashes the program costs only
/// its own cell. Throws CountingFailed if the tool can count nothing here.
std::vector<CellCounts> count_cells(const std::vector<Cell>& cells, const CountingTool& tool);

/// What `answers` (counted_sorts.hpp) say of the first cells of a run under `tool`, as far as it went. The last of them
/// is "crashed" if its sort began and did not end. `phases` gives those of a sort from its answer: called in turn for
/// every sort that ended, right or wrong.
std::vector<CellCounts> cells_answered(
    const std::string& answers, const std::string& tool,
    const std::function<std::vector<PhaseCounts>(const nlohmann::ordered_json& answer)>& phases);

/// What is read of an answer's "spans".
std::vector<CountedSpan> spans_in(const nlohmann::ordered_json& answer);

/// This program's file.
std::string own_program();

/// The command line of a process that counts: this program with the modules that it has loaded, and `words` after
/// kCountedCommand.
std::vector<std::string> counting_process(const std::vector<std::string>& words);

std::string whole_text_of(const std::string& path);

struct WhatToCount {
  std::vector<std::string> metrics;
  int passes = 0;  ///< of each phase, the first; 0: all
};

/// ncu, on device 0: each kernel is counted.
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

/// What `answers` and `log` (kernel_rows.hpp) say of the first cells of a run under ncu.
std::vector<CellCounts> cells_counted(const std::string& answers, const std::string& log,
                                      const std::vector<std::string>& metrics);

}  // namespace sortlab

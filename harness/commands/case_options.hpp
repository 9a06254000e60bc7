// The command-line options that describe cells, for `bench`, `predict` and other commands.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "harness/plan/sweep.hpp"

namespace sortlab {

/// The options. Each may be repeated; the cells are their product.
struct CaseOptions {
  std::vector<std::string> algorithms;
  std::vector<std::string> keys;  ///< empty: those of the files given, else u32
  std::vector<std::string> values{"none"};
  std::vector<std::string> n;              ///< empty: the numbers of keys in the files given, else 2^20
  std::vector<std::string> distributions;  ///< empty: uniform, unless files are given
  std::vector<std::string> inputs;         ///< files of keys: "keys.npy", "table.npy,column=a"
  std::vector<std::string> parameters;     ///< "digit_bits=8"
  std::vector<std::string> threads{"1"};
  std::vector<std::string> seeds{"1"};
  std::vector<std::string> residency;  ///< empty: each algorithm's own
  std::vector<std::string> host_memory{"pinned"};
  std::vector<std::string> devices{"2"};
  std::vector<std::string> shard_sizes{"even"};
  std::string layout{"native"};
  std::string preset;
  std::vector<std::string> components;

  bool any() const { return !algorithms.empty(); }
};

/// The meaning of --input for people.
inline constexpr const char* kInputMeaning =
    "A file of keys instead of a distribution: FILE.npy, FILE.npy,column=NAME, raw little-endian keys with --key u64, "
    "or lines of text with --key string; short for --dist file:FILE or lines:FILE. Key type and number of keys come "
    "from the file";

/// Declares the options. `algorithm_required`: CLI11 requires --algorithm.
void add_case_options(CLI::App& command, CaseOptions& options, bool algorithm_required,
                      const std::string& input_meaning = kInputMeaning);

/// Makes sweeps of the options, one and for each file of keys one more. Parameters, preset and components apply to the
/// algorithms that have them. Throws BadInput for one that no algorithm has. Algorithms without a requested component
/// are left out.
std::vector<Sweep> make_sweeps(const CaseOptions& options, const Protocol& protocol);

}  // namespace sortlab

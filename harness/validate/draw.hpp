// Random cells: drawn from a seed, for every plug-in that a model predicts.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "models/model.hpp"

namespace sortlab {

struct DrawOptions {
  std::uint64_t seed = 1;
  double fill_s = 60;                     ///< wall seconds that measuring the cells should take, by estimate
  std::size_t most_cells = 1000;          ///< so that the list of predictions stays a line of records
  std::vector<std::string> algorithms{};  ///< only these plug-ins; none: all that a model predicts
  std::optional<ModelKind> kind{};        ///< only what models of this kind predict
  std::vector<Cell> among{};              ///< a config's cells: only these, in random order
  double largest_share = 1.0 / 12;        ///< of fill_s, that one cell may take
};

struct Drawn {
  std::vector<Cell> cells;
  std::vector<std::string> algorithms;  ///< those drawn
  std::vector<std::string> left_out;    ///< plug-ins that have a model and no cell, each with the reason
};

/// Sizes are 2^(k / kSizesPerOctave), rounded: a grid much finer than that of any table or config.
inline constexpr int kSizesPerOctave = 16;
inline constexpr int kLeastLog2 = 16;
inline constexpr int kMaxLog2Host = 26;
inline constexpr int kMaxLog2Device = 28;

/// Whether a validation uses models of this kind: those informed by calibration alone.
constexpr bool is_validated(ModelKind kind) {
  return kind == ModelKind::component || kind == ModelKind::hardware;
}

/// The sizes that any config of the checkout names: none of them is drawn, so that no cell is one of a config. Empty
/// without a checkout.
std::set<std::uint64_t> sizes_of_configs();

/// Throws BadInput for a plug-in that does not exist, or that no model of the requested kind predicts.
void check(const DrawOptions& options);

/// Draws plug-ins in turn, in random order, and of each a case: types, size, distribution, threads, and one of its
/// presets or its defaults, of which perhaps one parameter is another. Half of the distributions are uniform keys or
/// ANDs of them (entropies), half any other with perhaps another parameter. Cases that no requested model predicts on
/// `machine`, that the plug-in or this machine declines, or that take too long are drawn again. The same seed, options
/// and profile give the same cells. Throws BadInput if nothing can be drawn.
Drawn draw(const DrawOptions& options, const MachineProfile& machine);

/// How each of them is measured.
Protocol validation_protocol();

}  // namespace sortlab

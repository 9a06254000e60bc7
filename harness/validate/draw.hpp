// Random cells, drawn from a seed, for every plug-in that a model predicts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "harness/cell/cell.hpp"
#include "models/model.hpp"

namespace sortlab {

struct DrawOptions {
  std::uint64_t seed = 1;
  double fill_s = 60;                     ///< wall seconds that measuring the cells should take, by estimate
  std::size_t most_cells = 1000;          ///< maximum, so that the list of predictions fits into a record
  std::vector<std::string> algorithms{};  ///< plug-ins to draw; empty: all that a model predicts
  std::optional<ModelKind> kind{};        ///< draw only cases that models of this kind predict
  std::vector<Cell> among{};              ///< cells of a config to draw from, in random order; empty: any
  double largest_share = 1.0 / 12;        ///< maximum share of fill_s for one cell
  bool energy = false;                    ///< draw only sorts on the device, whose energy is metered as well
};

/// The drawn cells that one kind of model was asked about, those that no kind predicts among them.
struct Coverage {
  std::size_t drawn = 0;
  std::map<std::string, std::size_t> refused{};  ///< number of the cells not predicted, by reason

  std::size_t unpredicted() const;
};

/// Kind of model, plug-in and threads.
using CoverageKey = std::tuple<ModelKind, std::string, int>;

struct Drawn {
  std::vector<Cell> cells;
  std::vector<std::string> algorithms;         ///< plug-ins that were drawn
  std::vector<std::string> left_out;           ///< plug-ins with a model but no cell, each with the reason
  std::map<CoverageKey, Coverage> coverage{};  ///< counts of the cells that run here and do not take too long
};

/// Sizes are 2^(k / kSizesPerOctave), rounded: a grid much finer than that of any table or config.
inline constexpr int kSizesPerOctave = 16;
inline constexpr int kLeastLog2 = 16;
inline constexpr int kMaxLog2Host = 26;
inline constexpr int kMaxLog2Device = 28;

/// True if a validation uses models of this kind, which know only the calibration.
constexpr bool is_validated(ModelKind kind) {
  return kind == ModelKind::component || kind == ModelKind::hardware;
}

/// The sizes in all configs of the checkout. They are not drawn, so that no drawn cell is in a config. Empty without a
/// checkout.
std::set<std::uint64_t> sizes_of_configs();

/// Throws BadInput for a plug-in that does not exist, or that no model of the requested kind predicts.
void check(const DrawOptions& options);

/// Draws a case for each plug-in in turn, in random order: types, size, distribution, threads, and parameters, which
/// are the defaults or a preset, perhaps with one parameter changed. Half of the distributions are uniform keys or ANDs
/// of them (entropies). The others are any distribution, perhaps with one parameter changed. Half of the cases first
/// try the input of the cell before, so that ratios of sorts can be predicted. A case is drawn again if no requested
/// model predicts it on `machine`, if the plug-in or this machine declines it, or if it takes too long. A profile of
/// another machine stands for it: its processors and its device are drawn for, and cells are not measured. The same
/// seed, options and profile give the same cells. Throws BadInput if nothing can be drawn.
Drawn draw(const DrawOptions& options, const MachineProfile& machine);

/// The protocol by which drawn cells are measured. `energy`: their energy is metered after that.
Protocol validation_protocol(bool energy = false);
/// The protocol for the cell of `c`. If its input is a whole file, every sample sorts the same keys.
Protocol protocol_for(const Case& c, Protocol protocol);

}  // namespace sortlab

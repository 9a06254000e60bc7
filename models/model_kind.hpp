// Kinds of models by the knowledge they may use, which decides what their error says (design: the contract of a model).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "core/names.hpp"

namespace sortlab {

enum class ModelKind : std::uint8_t {
  paper,      ///< the constants that a paper prints, on the paper's machine
  hardware,   ///< operations and bytes counted; rates of the machine, measured without any sorting code
  component,  ///< also times of the sort's own kernels, each alone on synthetic data
  fitted,     ///< times of the sort
  baseline,   ///< bytes over copy bandwidth, or the best straight line: what a model must beat
  scaled,     ///< as hardware or component, on a profile scaled to another machine's datasheet or a question
};

template <>
inline constexpr std::array<std::string_view, 6> kNames<ModelKind>{"paper",  "hardware", "component",
                                                                   "fitted", "baseline", "scaled"};

}  // namespace sortlab

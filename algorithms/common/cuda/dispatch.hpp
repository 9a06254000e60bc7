// Dispatches a parameter's value to the code compiled for it, by a table of the compiled values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/choice.hpp"

namespace sortlab {

/// Calls `f.template operator()<values[i]>()` for the i for which `value` equals values[i], an array of constants.
/// Throws std::logic_error naming the parameter if there is none: there is no default.
template <const auto& values, std::size_t index = 0, class F>
decltype(auto) dispatch(std::string_view parameter, int value, const F& f) {
  if (value == values[index]) return f.template operator()<values[index]>();
  if constexpr (index + 1 < values.size()) return dispatch<values, index + 1>(parameter, value, f);
  throw_no_code_for(parameter, std::to_string(value));
}

}  // namespace sortlab

// Estimates for elements of widths that were neither measured nor counted: keys of 16 bytes, and values that are not as
// wide as their keys. Measured and counted are keys of 4 and 8 bytes, alone and with values as wide.
#pragma once

#include <algorithm>
#include <vector>

namespace sortlab {

/// A calibrated width, and its weight in an estimate.
struct WidthTerm {
  double key = 0;    ///< bytes
  double value = 0;  ///< bytes; 0: keys alone
  double weight = 1;
};

/// The calibrated widths whose weighted sum estimates a quantity of another: a line in the bytes of the value through
/// keys alone and values as wide as the key; a line in the bytes of the key through 4 and 8. A width that is calibrated
/// is its own estimate.
inline std::vector<WidthTerm> width_terms(double key, double value) {
  constexpr double narrow = 4, wide = 8;
  const double calibrated = std::min(key, wide);
  const double share = value / calibrated;
  const double beyond = key > wide ? (key - wide) / (wide - narrow) : 0;
  std::vector<WidthTerm> terms{
      {calibrated, calibrated, share}, {calibrated, 0, 1 - share + beyond}, {narrow, 0, -beyond}};
  std::erase_if(terms, [](const WidthTerm& term) { return term.weight == 0; });
  return terms;
}

/// The estimate from the quantities of the terms, at least the smallest of them.
template <class Quantity>
double estimate(const std::vector<WidthTerm>& terms, Quantity&& quantity) {
  double sum = 0, least = 0;
  for (const WidthTerm& term : terms) {
    const double one = quantity(term.key, term.value);
    sum += term.weight * one;
    least = &term == &terms.front() ? one : std::min(least, one);
  }
  return terms.size() == 1 ? sum : std::max(sum, least);
}

}  // namespace sortlab

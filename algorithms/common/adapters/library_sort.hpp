// The base of plug-ins for a library's sort: it is compiled for some types alone, and declines the others.
#pragma once

#include <algorithm>
#include <string>  // not fmt: modules include this file, too

#include "algorithms/common/adapters/with_types.hpp"

namespace sortlab {

class LibrarySort : public Algorithm {
 public:
  const Info& info() const final { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (!offers_(problem.key, problem.value)) {
      return "is not compiled for " + std::string{to_name(problem.key)} + " keys with " +
             std::string{to_name(problem.value)} + " values: see its README";
    }
    if (!total_order_ && is_float(problem.key) && problem.needs_total_order) {
      return "sorts floats by operator<, which orders neither NaN nor -0 before +0";
    }
    return std::nullopt;
  }

 protected:
  /// True for the types that the sort is compiled for.
  using Offers = bool (*)(KeyType, ValueType);

  /// Info::keys become those of `info` that are offered with some value type; pairs lie together. `total_order`: it
  /// orders NaN, and -0 before +0.
  LibrarySort(Info info, Offers offers, bool total_order)
      : info_(std::move(info)), offers_(offers), total_order_(total_order) {
    std::erase_if(info_.keys, [&](KeyType key) {
      return std::ranges::none_of(info_.values, [&](ValueType value) { return offers(key, value); });
    });
    info_.layouts = {Layout::together};
  }

 private:
  Info info_;
  Offers offers_;
  bool total_order_;
};

}  // namespace sortlab

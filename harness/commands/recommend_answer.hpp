// Answer of `sortlab recommend`: the sorts on all keys of a file, fastest first.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/cell/cell.hpp"
#include "harness/commands/recommend_elsewhere.hpp"

namespace sortlab {

/// Best known time of a sort on all keys of the file.
struct Expected {
  Cell cell;  ///< on all keys
  double seconds = 0;
  std::array<double, 2> interval{};  ///< 95 % interval of the run, if measured on all keys
  bool is_whole = false;             ///< measured on all keys, not scaled from a part
  std::optional<double> scratch{};   ///< scratch memory over the input's bytes, in the run; nullopt: not known
};

/// Names of the sorts that are left out, by reason.
using Excluded = std::map<std::string, std::vector<std::string>>;

struct Recommendation {
  std::vector<Expected> sorts;  ///< at least one, the fastest first
  Excluded left_out;
  std::optional<Elsewhere> elsewhere;  ///< answer for another machine, if one was named
};

/// A table with predictions beside, the sorts left out, and a sentence that says what to use.
std::string recommendation_text(const Recommendation&);
nlohmann::ordered_json to_json(const Recommendation&);

}  // namespace sortlab

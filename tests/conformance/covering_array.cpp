#include "tests/conformance/covering_array.hpp"

#include <algorithm>
#include <cstddef>

namespace sortlab {
namespace {

/// Pairs of levels that no row covers yet.
class Open {
 public:
  explicit Open(const std::vector<int>& levels) : first_(levels.size() + 1) {
    for (std::size_t f = 0; f < levels.size(); ++f) first_[f + 1] = first_[f] + levels[f];
    open_.assign(static_cast<std::size_t>(first_.back()) * static_cast<std::size_t>(first_.back()), true);
  }
  bool at(std::size_t f, int a, std::size_t g, int b) const { return open_[index(f, a, g, b)]; }
  void close(std::size_t f, int a, std::size_t g, int b) {
    open_[index(f, a, g, b)] = open_[index(g, b, f, a)] = false;
  }

 private:
  std::size_t index(std::size_t f, int a, std::size_t g, int b) const {
    return static_cast<std::size_t>(first_[f] + a) * static_cast<std::size_t>(first_.back()) +
           static_cast<std::size_t>(first_[g] + b);
  }
  std::vector<int> first_;
  std::vector<bool> open_;
};

}  // namespace

std::vector<std::vector<int>> covering_array(const std::vector<int>& levels) {
  std::vector<std::vector<int>> rows;
  if (std::ranges::find(levels, 0) != levels.end()) return rows;
  Open open{levels};
  std::vector<int> chosen_so_far(levels.size());  // breaks ties evenly

  // The level of factor f that covers most open pairs with the fixed levels in `row` (-1: not fixed).
  const auto best_level = [&](const std::vector<int>& row, std::size_t f) {
    int best = 0;
    int most = -1;
    const int start = chosen_so_far[f]++;
    for (int k = 0; k < levels[f]; ++k) {
      const int level = (start + k) % levels[f];
      int met = 0;
      for (std::size_t g = 0; g < levels.size(); ++g) met += g != f && row[g] >= 0 && open.at(f, level, g, row[g]);
      if (met > most) {
        most = met;
        best = level;
      }
    }
    return best;
  };

  for (std::size_t f = 0; f < levels.size(); ++f) {
    for (std::size_t g = f + 1; g < levels.size(); ++g) {
      for (int a = 0; a < levels[f]; ++a) {
        for (int b = 0; b < levels[g]; ++b) {
          if (!open.at(f, a, g, b)) continue;
          std::vector<int> row(levels.size(), -1);
          row[f] = a;
          row[g] = b;
          for (std::size_t h = 0; h < levels.size(); ++h) {
            if (row[h] < 0) row[h] = best_level(row, h);
          }
          for (std::size_t h = 0; h < levels.size(); ++h) {
            for (std::size_t i = h + 1; i < levels.size(); ++i) open.close(h, row[h], i, row[i]);
          }
          rows.push_back(std::move(row));
        }
      }
    }
  }
  return rows;
}

std::vector<std::vector<int>> product(const std::vector<int>& levels) {
  std::vector<std::vector<int>> rows{{}};
  for (const int count : levels) {
    std::vector<std::vector<int>> longer;
    for (const std::vector<int>& row : rows) {
      for (int level = 0; level < count; ++level) {
        longer.push_back(row);
        longer.back().push_back(level);
      }
    }
    rows = std::move(longer);
  }
  return rows;
}

}  // namespace sortlab

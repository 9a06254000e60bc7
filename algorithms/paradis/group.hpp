// A group of neighbouring threads of the team, which sorts one bucket together.
#pragma once

#include <cstdint>

namespace sortlab::paradis {

/// Threads [first, first + size) of the team.
struct Group {
  int first = 0;
  int size = 1;

  bool has(int thread) const { return thread >= first && thread < first + size; }
  /// Begin of part `index` if n elements are divided into `parts` equal parts.
  static std::uint64_t cut(std::uint64_t n, int index, int parts) {
    const auto of = static_cast<std::uint64_t>(parts);
    const auto at = static_cast<std::uint64_t>(index);
    return n / of * at + n % of * at / of;
  }
};

}  // namespace sortlab::paradis

// What msd_radix_cpu does to a range by pivots, and to what fits into a core's cache: a model of its vectorised
// quicksort, and of its buckets.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "models/model.hpp"

namespace sortlab {

/// Traced words of a range, in order.
using SortedWords = std::span<const std::uint64_t>;

/// Follows a range down to matrices of registers. Pivots are drawn from the traced words as the sort draws them; words
/// of which there are many leave the game where the sort has done with them. Where too few are known, the rest is taken
/// for as even as random words.
class PivotSort {
 public:
  struct Kind {
    std::string table;  ///< of the profile: "msd.avx2."
    double threads;     ///< of the team
    double word;        ///< bytes
    bool values;        ///< as wide as words, beside them
    std::size_t register_bytes;
    double in_cache;  ///< elements that are sorted in cache by digits, if any are
    double together;  ///< elements of a range that the team parts together, more than
    bool returns;     ///< what digits have sorted is copied back to the range
  };
  PivotSort(Kind kind, const MachineProfile& machine);

  /// Seconds of `team` threads for a range of `size` elements. `digits`: it may be sorted by digits, once it fits.
  double seconds(SortedWords words, double size, double team, bool digits = true);

  /// Whether a bucket of such words is sorted by digits; and seconds of one thread for it.
  bool by_digits(SortedWords words, double size) const;
  double bucket(double size);

  double at(const char* piece, std::initializer_list<double> more) const;
  const std::map<std::string, double>& work() const { return work_; }  ///< of all that was asked for

 private:
  struct Parts {
    std::size_t less, below;  ///< words before one and from the other on are still to be sorted
    int repeats;              ///< the sample holds the pivot once (0), more often (1), or few words altogether (2)
    int reads;                ///< how often the range is read
  };
  struct Known {
    double seconds;
    std::map<std::string, double> work;
  };

  std::uint64_t draw(SortedWords words);
  Parts parts(SortedWords words, bool many);  ///< many: enough to look for frequent ones
  bool take_out(SortedWords words, Parts& parts);
  double returned(double size) const;
  double parted(double size, int repeats, int reads, double team);
  double meetings() const;
  double network(double size);
  double even(double size, bool digits);

  Kind kind_;
  const MachineProfile& machine_;
  std::size_t lanes_;
  std::map<std::string, double> work_;
  std::map<std::pair<int, bool>, Known> even_;  ///< by 16 times the logarithm of the size; an element
  std::uint64_t random_ = 1;
};

}  // namespace sortlab

// Model of msd_radix_cpu's vectorised quicksort of a range, and of its buckets, which fit into a core's cache.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "models/loops/pieces.hpp"

namespace sortlab {

/// Traced words of a range, in order.
using SortedWords = std::span<const std::uint64_t>;

/// Follows a range down to matrices of registers. Pivots are drawn from the traced words as the sort draws them;
/// frequent words drop out where the sort sets them aside. Where too few words are known, the rest is assumed to be as
/// even as random words.
class PivotSort {
 public:
  struct Kind {
    std::string table;  ///< prefix of the profile's tables: "msd.avx2."
    double threads;     ///< threads of the team
    double word;        ///< bytes
    bool values;        ///< as wide as words, beside them
    std::size_t register_bytes;
    double in_cache;  ///< elements that are sorted in cache by digits, if any are
    double together;  ///< elements of a range that the team parts together, more than
    double shared;    ///< elements of a range from which a thread offers parts to others, more than
    bool returns;     ///< buckets that digits have sorted are copied back to the range
  };
  PivotSort(const Kind& kind, const Pieces& machine);

  /// True if a bucket of such words is sorted as 32-bit words.
  bool narrows(SortedWords words, double size) const;
  /// Seconds of one thread for it: moved to 32-bit words, sorted, and moved back.
  double narrowed(SortedWords words, double size);

  /// Seconds of one thread for a range of `size` elements. `digits`: it may be sorted by digits, once it fits.
  double seconds(SortedWords words, double size, bool digits = true);

  /// Seconds of the team for all elements. Its threads partition the first ranges together; then each range belongs to
  /// one thread, which offers parts of it to idle ones, so that they end together unless one range takes too long.
  double by_team(SortedWords words, double size);

  /// True if a bucket of such words is sorted by digits.
  bool by_digits(SortedWords words, double size) const;
  /// Seconds of one thread for a bucket that is sorted by digits.
  double bucket(double size);

  double at(const char* piece, std::initializer_list<double> more) const;
  const std::map<std::string, double>& work() const { return work_; }  ///< operations of all calls

 private:
  struct Parts {
    std::size_t less, below;  ///< words before the first and from the second on are still to be sorted
    int repeats;              ///< the sample holds the pivot once (0), more often (1), or few words altogether (2)
    int reads;                ///< number of times the range is read
  };
  struct Parted {
    double seconds;  ///< seconds of one thread
    SortedWords lesser, greater;
    double less, above;  ///< elements of both
  };
  struct Shared {
    double together;  ///< seconds of the team for what all threads do
    double work;      ///< seconds of one thread for the rest
    double longest;   ///< seconds that one range of the rest takes at least
  };
  struct Known {
    double seconds;
    std::map<std::string, double> work;
  };

  double element() const { return kind_.word * (kind_.values ? 2 : 1); }  ///< bytes
  /// Extra seconds of a thread for bytes that any thread of the team may have written.
  double received(double bytes) const;
  Parted by_pivot(SortedWords words, double size);
  Shared shared(SortedWords words, double size);
  double longest(SortedWords words, double size);  ///< least time of a range, however many threads are free
  std::uint64_t draw(SortedWords words);
  /// `many`: the range is long enough that the sort looks for frequent words.
  Parts parts(SortedWords words, bool many);
  bool take_out(SortedWords words, Parts& parts);
  double returned(double size) const;
  double parted(double size, int repeats, int reads);
  double network(double size);
  double even(double size, bool digits);

  Kind kind_;
  const Pieces& machine_;
  std::size_t lanes_;
  std::map<std::string, double> work_;
  std::map<std::pair<int, bool>, Known>
      even_;                           ///< (16 times the logarithm of the size, digits) to the time of an element
  std::unique_ptr<PivotSort> narrow_;  ///< model of 32-bit words; null if none are made
  std::uint64_t random_ = 1;
};

}  // namespace sortlab

// Lists of the buckets that the levels of msd_radix_gpu leave, and the distribution of the keys in some of them.
#pragma once

#include <array>
#include <map>
#include <utility>
#include <vector>

#include "algorithms/msd_radix_gpu/model/segments.hpp"

namespace sortlab::msd_tree {

/// Keys of a bucket: its sample, or, by formula, its leading digits before random bits.
struct Content {
  Sample sample;
  std::size_t first_digit = 0, last_digit = 0;
  int shift = 0;
};

class BucketLists {
 public:
  /// `random` and `judge` are the caller's. `one`: probability of a bit, for keys by formula.
  BucketLists(const Problem& problem, double one, bool is_formula, Random& random, Judge& judge)
      : problem_(problem),
        one_(one),
        is_formula_(is_formula),
        capacity_(msd_gpu::bucket_elements(problem.key_bytes, problem.value_bytes)),
        counts_(problem.plan.counts_buckets),
        random_(random),
        judge_(judge) {}

  /// Classifies the buckets again at each level.
  void begin_level() { listed_ = {}; }
  void list(const Node& node, double keys, int left, const Content& content);
  void list_table(const Node& node, double keys, int left, const Content& content);
  void finish(Tree& tree) const;

 private:
  /// Kinds of buckets that are counted: uneven if counters of four bits overflow.
  Kinds judged_counters(const Node& node, double keys, const Content& content, int left);
  std::vector<Word> made_keys(const Node& node, double keys, const Content& content, int left);
  msd_gpu::Shape list_shape(int size_class) const {
    return msd_gpu::class_shape(size_class, problem_.key_bytes, problem_.value_bytes);
  }

  struct Judged {
    Kinds kinds;
    double judged = 0;
    double buckets = 0, keys = 0;
    double long_buckets = 0, long_keys = 0;
  };

  Problem problem_;
  double one_;
  bool is_formula_;
  double capacity_;
  bool counts_;
  Random& random_;
  Judge& judge_;
  std::map<std::pair<int, int>, Judged> judged_;  ///< (list, bits left) to the buckets
  std::array<int, msd_gpu::kLists> listed_{};     ///< number of a level's buckets that were classified, by list
  Tables tables_;
  double tables_judged_ = 0;  ///< keys of the buckets that were classified for counting by tables
};

}  // namespace sortlab::msd_tree

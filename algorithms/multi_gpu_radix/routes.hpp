// Pieces into which a lane partitions its elements if it does so in its own memory: one for each receiver, and one for
// each bucket that a cut divides.
#pragma once

#include "algorithms/multi_gpu_radix/plan.hpp"

namespace sortlab::multi_gpu {

struct Piece {
  std::size_t from = 0;     ///< lane that has partitioned it
  std::size_t to = 0;       ///< lane that receives it
  std::uint64_t begin = 0;  ///< its first element in the partitioned array
  std::uint64_t count = 0;
  std::uint64_t place = 0;  ///< position of its first element in the array that receives it
  bool is_border = false;   ///< true if that array is the one for the receiver's border
};

/// Place in a lane's received array.
struct Place {
  std::size_t lane = 0;
  std::uint64_t position = 0;
};

struct Routes {
  std::vector<Piece> pieces;
  std::vector<Place> lower;  ///< place of the elements below each cut in its border
  std::vector<Place> upper;  ///< place of those above it
};

class RouteFinder {
 public:
  RouteFinder(const Buckets& buckets, const std::vector<std::uint64_t>& cuts) : buckets_(buckets), cuts_(cuts) {}

  /// Elements of a lane in a bucket.
  std::uint64_t count(std::size_t bucket, std::size_t lane) const {
    const std::uint64_t next = lane + 1 < lanes() ? buckets_.begins[bucket][lane + 1] : bucket_begin(bucket + 1);
    return next - buckets_.begins[bucket][lane];
  }
  std::uint64_t bucket_begin(std::size_t bucket) const {
    return bucket < buckets_.begins.size() ? buckets_.begins[bucket][0] : cuts_.back();
  }
  /// True if lane j divides a bucket; where cuts coincide, the first does.
  bool divides(std::size_t j) const {
    return buckets_.border[j] >= 0 && (j == 0 || buckets_.border[j] != buckets_.border[j - 1]);
  }
  /// The lane whose shard of the result holds a position.
  std::size_t lane_at(std::uint64_t position) const {
    std::size_t lane = 0;
    while (position >= cuts_[lane + 1] && lane + 2 < cuts_.size()) ++lane;
    return lane;
  }

  /// The pieces, for receivers that put together what comes from lane 0, lane 1 … and, at the end, the borders.
  Routes find() const {
    Routes routes;
    std::vector<std::uint64_t> received(lanes());
    for (std::size_t from = 0; from < lanes(); ++from) add_pieces(from, received, routes);
    routes.lower.resize(lanes() - 1);
    routes.upper.resize(lanes() - 1);
    for (std::size_t j = 0; j + 1 < lanes(); ++j) {
      if (!divides(j)) continue;
      const auto bucket = static_cast<std::size_t>(buckets_.border[j]);
      const std::uint64_t begin = bucket_begin(bucket), cut = cuts_[j + 1], end = bucket_begin(bucket + 1);
      const auto take = [&](std::uint64_t position, std::uint64_t elements) {
        const std::size_t lane = lane_at(position);
        const Place place{lane, received[lane]};
        received[lane] += elements;
        return place;
      };
      routes.lower[j] = take(begin, cut - begin);
      routes.upper[j] = take(cut, end - cut);
    }
    return routes;
  }

 private:
  std::size_t lanes() const { return cuts_.size() - 1; }

  /// Walks over a lane's buckets in order, as they lie in its partitioned array.
  void add_pieces(std::size_t from, std::vector<std::uint64_t>& received, Routes& routes) const {
    std::uint64_t begin = 0;
    const auto add = [&](std::size_t to, std::uint64_t elements) {
      if (elements == 0) return;
      const bool extends = !routes.pieces.empty() && routes.pieces.back().from == from &&
                           routes.pieces.back().to == to && !routes.pieces.back().is_border;
      if (extends) {
        routes.pieces.back().count += elements;
      } else {
        routes.pieces.push_back({from, to, begin, elements, received[to], false});
      }
      begin += elements;
      received[to] += elements;
    };
    for (std::size_t b = 0; b < buckets_.begins.size(); ++b) {
      std::uint64_t left = count(b, from), position = buckets_.begins[b][from];
      for (std::size_t j = 0; left > 0 && j + 1 < lanes(); ++j) {
        if (!divides(j) || buckets_.border[j] != static_cast<int>(b)) continue;
        routes.pieces.push_back({from, j, begin, left, position - bucket_begin(b), true});
        begin += left;
        left = 0;
      }
      while (left > 0) {
        const std::size_t to = lane_at(position);
        const std::uint64_t here = std::min(left, cuts_[to + 1] - position);
        add(to, here);
        position += here;
        left -= here;
      }
    }
  }

  const Buckets& buckets_;
  const std::vector<std::uint64_t>& cuts_;
};

}  // namespace sortlab::multi_gpu

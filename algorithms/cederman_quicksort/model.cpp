// Family K for cederman_quicksort: pivots of both phases are chosen as the sort chooses them, among keys by rank, so
// that bad partitions are predicted. Phase one is a sequence of levels of kernels, each over all sequences still being
// partitioned, with the host in between; phase two assigns the sequences, longest first, to the resident blocks.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <queue>
#include <random>
#include <tuple>

#include "algorithms/cederman_quicksort/plan.hpp"
#include "models/cost.hpp"
#include "models/kernels/device_model.hpp"
#include "models/kernels/keys_by_rank.hpp"

namespace sortlab {
namespace {

using gpu_quicksort::midpoint;
using gpu_quicksort::Shape;

/// Keys from one rank to another, and the pivot of their next partition.
struct Part {
  double begin;
  double end;
  std::uint64_t pivot = 0;
  double length() const { return end - begin; }
};

class CedermanQuicksort final : public DeviceModel {
 public:
  CedermanQuicksort()
      : DeviceModel(Level::tiles, {.name = "cederman_quicksort",
                                   .title = "quicksort on a device, level by level and block by block",
                                   .source = "this project, after Cederman and Tsigas, ESA 2008",
                                   .algorithms = {"cederman_quicksort"},
                                   .kind = ModelKind::component,
                                   .family = "K, quicksort and bucket sorts"}) {}

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& profile) const override {
    if (workload.n == 0) return {};
    const Parameters& given = workload.parameters;
    const Shape shape =
        gpu_quicksort::make_shape(given.integer("threads"), given.integer("blocks"), given.integer("small_sort"));
    const std::uint32_t most_small = shape.threads == 128 ? 512 : 1024;
    if ((shape.threads != 128 && shape.threads != 256) || shape.small > most_small) {
      throw BadInput(
          "cederman_quicksort: blocks of 128 threads that sort up to 512 elements and of 256 that sort up to "
          "1024 are calibrated");
    }
    return Run{profile, shape, element_bytes(workload), KeysByRank{view, workload.n}, view}(workload.n);
  }

 private:
  class Run {
   public:
    Run(const MachineProfile& device, const Shape& shape, ElementBytes bytes, KeysByRank keys,
        const DistributionView& view)
        : device_(device), shape_(shape), bytes_(bytes), keys_(std::move(keys)), trace_(view.trace()) {}

    Prediction operator()(std::uint64_t n) {
      const std::vector<Part> parts = partition(n);
      phases_.push_back(sort_sequences(parts));
      return sequence(std::move(phases_));
    }

   private:
    double threads() const { return shape_.threads; }

    /// Phase one, as the sort's host code runs it.
    std::vector<Part> partition(std::uint64_t n) {
      const auto shortest = static_cast<double>(gpu_quicksort::shortest_partitioned(n, shape_));
      std::vector<Part> parts{{0, static_cast<double>(n)}};
      if (static_cast<double>(n) < shortest) return parts;
      add("first pivot", 0, device_.at("copy_back"), "latency");
      const auto three = {static_cast<std::uint64_t>(trace_.front()),
                          static_cast<std::uint64_t>(trace_[trace_.size() / 2]),
                          static_cast<std::uint64_t>(trace_.back())};
      parts[0].pivot = midpoint(std::min(three), std::max(three));
      for (int level = 0; parts.size() < gpu_quicksort::wanted_sequences(shape_); ++level) {
        std::vector<Part> next, partitioned;
        double total = 0, equal = 0;
        for (const Part& part : parts) (part.length() < shortest ? next : partitioned).push_back(part);
        for (const Part& part : partitioned) {
          total += part.length();
          const double left = std::clamp(keys_.less(part.pivot), part.begin, part.end);
          const double right = std::clamp(keys_.not_greater(part.pivot), left, part.end);
          equal += right - left;
          const std::uint64_t least = keys_.at(part.begin), most = keys_.at(part.end - 1);
          if (left - part.begin >= 1) {
            next.push_back({part.begin, left, midpoint(least, std::max(least, std::min(part.pivot, most)))});
          }
          if (part.end - right >= 1) {
            next.push_back({right, part.end, midpoint(std::min(most, std::max(part.pivot, least)), most)});
          }
        }
        if (total <= 0) return next;
        add_level(level, total, longest_share(partitioned, total), equal);
        parts = std::move(next);
        if (level > 200) break;  // pivots of a trace need not end as the sort's do
      }
      return parts;
    }

    /// The largest load of a block of a level over an even share: the last block of a sequence takes the remainder.
    double longest_share(const std::vector<Part>& parts, double total) const {
      const std::uint64_t share = gpu_quicksort::block_share(static_cast<std::uint64_t>(total), shape_);
      std::uint64_t longest = share;
      for (const Part& part : parts) {
        const auto length = static_cast<std::uint64_t>(part.length());
        longest = std::max(longest, length - (gpu_quicksort::blocks_of_sequence(length, share) - 1) * share);
      }
      return static_cast<double>(longest) / static_cast<double>(share);
    }

    void add_level(int level, double total, double longest, double equal) {
      const double key_size = total * bytes_.key, size = total * bytes_.both();
      const double cached = device_.cache("L2");
      // Two small copies to the device, each as long as other small work, and for all levels but the first one copy
      // back.
      add("host", level, (level > 0 ? device_.at("copy_back") : 0) + 2 * device_.at("memset"), "latency");
      add("count", level, total * device_.at("quicksort.count", {threads(), bytes_.key, longest, key_size}),
          key_size > cached ? "dram" : "l2");
      add("scan", level, device_.at("quicksort.scan", {threads(), bytes_.key}), "latency");
      add("scatter", level,
          total * device_.at("quicksort.scatter", {threads(), bytes_.key, bytes_.value, longest, size}),
          2 * size > cached ? "dram" : "l2");
      const double filled = equal * bytes_.both();
      add("fill", level,
          device_.at("launch_dependent") + filled / device_.at("write", {bytes_.key, std::max(filled, 1.0)}),
          "latency");
    }

    /// Work of a block on one sequence.
    struct BlockWork {
      double alone = 0;   ///< seconds of a block with a multiprocessor for itself
      double beside = 0;  ///< seconds if it shares its multiprocessor with others
    };

    /// Seconds of a block that sorts a small sequence, or partitions a larger one, beside `blocks` others. Looked up
    /// once for each length, or each sixteenth of an octave, since a long input has some hundred thousand sequences.
    double block_seconds(double length, double blocks) {
      const bool small = length <= shape_.small;
      const auto bin = static_cast<int>(small ? length : 16 * std::log2(length));
      const auto [known, is_new] = seconds_.try_emplace({small, bin, blocks}, 0);
      if (is_new) {
        known->second = small ? device_.at("quicksort.small", {threads(), bytes_.key, bytes_.value, blocks, length})
                              : device_.at("quicksort.partition", {threads(), bytes_.key, bytes_.value, blocks,
                                                                   std::exp2((bin + 0.5) / 16) * bytes_.both()});
      }
      return small ? known->second : length * known->second;
    }

    BlockWork block_work(const Part& whole, double blocks) {
      BlockWork work;
      std::vector<Part> stack{whole};
      while (!stack.empty()) {
        const Part part = stack.back();
        stack.pop_back();
        const bool small = part.length() <= shape_.small;
        work.alone += block_seconds(part.length(), 1);
        work.beside += block_seconds(part.length(), blocks);
        if (small) continue;
        const auto any = [&] {
          return keys_.at(part.begin + part.length() * static_cast<double>(random_() >> 11) * 0x1p-53);
        };
        const auto three = {any(), any(), any()};
        const std::uint64_t pivot = midpoint(std::min(three), std::max(three));
        const double left = std::clamp(keys_.less(pivot), part.begin, part.end);
        const double right = std::clamp(keys_.not_greater(pivot), left, part.end);
        // A pivot among interpolated keys may separate nothing, which the sort's cannot.
        const bool parts = right - left >= 1 || (left - part.begin >= 1 && part.end - right >= 1);
        const double middle = (part.begin + part.end) / 2;
        for (const Part& next : {Part{part.begin, parts ? left : middle}, Part{parts ? right : middle, part.end}}) {
          if (next.length() >= 1) stack.push_back(next);
        }
      }
      return work;
    }

    PhasePrediction sort_sequences(std::vector<Part> parts) {
      std::ranges::sort(parts, std::greater{}, &Part::length);
      const double resident = device_.at("quicksort.resident", {threads(), bytes_.key, bytes_.value});
      const double slots = resident * device_.cores;
      const auto count = static_cast<double>(parts.size());
      const double blocks = std::clamp(count / device_.cores, 1.0, resident);
      // Each slot takes the next sequence when it has finished its own.
      std::priority_queue<double, std::vector<double>, std::greater<>> free;
      for (double slot = 0; slot < std::min(slots, count); ++slot) free.push(0);
      double end = 0, elements = 0, longest = 0;
      for (const Part& part : parts) {
        const BlockWork work = block_work(part, blocks);
        const double done = free.top() + work.beside;
        free.pop();
        free.push(done);
        end = std::max(end, done);
        longest = std::max(longest, work.alone);
        elements += part.length();
      }
      // The last ones have their multiprocessors to themselves.
      return {.name = "sort sequences",
              .pass = 0,
              .seconds = device_.at("launch_dependent") + std::max(longest, end),
              .binding = longest > 0.9 * end ? "latency" : "multiprocessor",
              .work = {{"elements", elements}, {"sequences", count}}};
    }

    void add(const char* name, int pass, double seconds, const char* binding) {
      phases_.push_back({.name = name, .pass = pass, .seconds = seconds, .binding = binding});
    }

    const MachineProfile& device_;
    Shape shape_;
    ElementBytes bytes_;
    KeysByRank keys_;
    std::span<const uint128> trace_;
    std::vector<PhasePrediction> phases_;
    std::map<std::tuple<bool, int, double>, double> seconds_;  ///< times that block_seconds() has looked up
    std::mt19937_64 random_{1};
  };
};

const RegisterModel registered{std::make_unique<CedermanQuicksort>()};

}  // namespace
}  // namespace sortlab

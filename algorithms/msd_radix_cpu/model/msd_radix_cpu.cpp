// A model of the plug-in msd_radix_cpu in its two modes: pivots partition the elements in place until they fit into a
// core's cache; or digits partition them once through memory, into buckets of a cache's size. Both finish in the cache,
// by digits and networks or by quicksort (pivot_sort.hpp).
//
// The plug-in's own plan gives the mode and the division of the elements. A bucket is read from memory, sorted in the
// cache, and written to its place: these times add up.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "algorithms/msd_radix_cpu/model/form.hpp"
#include "algorithms/msd_radix_cpu/model/pieces.hpp"
#include "algorithms/msd_radix_cpu/model/pivot_sort.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"
#include "models/loops/registers.hpp"

namespace sortlab {
namespace {

constexpr double kSampled = msd::kTile;  // elements that determine the range of the first partition
constexpr double kLine = 64;             // bytes

using Digits = msd::Digits<std::uint64_t>;

class MsdRadix {
 public:
  MsdRadix(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : machine_(machine),
        n_(static_cast<double>(workload.n)),
        threads_(workload.threads),
        form_(workload),
        plan_(msd::make_plan(workload, form_)),
        table_("msd." + workload.parameters.word("target") + "."),
        sort_(
            {.table = table_,
             .threads = threads_,
             .word = form_.word,
             .values = form_.beside,
             .register_bytes = register_bytes(workload.parameters.word("target"), static_cast<std::size_t>(form_.word)),
             .in_cache = in_cache(),
             .together = together(),
             .shared = shared(),
             .returns = form_.direct},
            machine) {
    for (const uint128 key : view.trace()) words_.push_back(static_cast<std::uint64_t>(key));
    rises_ = std::ranges::is_sorted(words_);
    falls_ = std::ranges::is_sorted(words_, std::greater{});
    runs_ = rises_ || falls_ || plan_.blocks == 0 || threads_ > msd::kMaxRepairThreads ? 1 : runs();
    mended_ = !rises_ && !falls_ && runs_ == 1 && is_mended(workload);
    // Single keys of all parts of the input tell how keys are distributed. Stretches of an input that is partly in
    // order hold few of the values.
    words_.clear();
    for (const uint128 key : view.spread()) words_.push_back(static_cast<std::uint64_t>(key));
    if (form_.joined) {  // words of equal keys differ by their values
      for (std::size_t i = 0; i < words_.size(); ++i) words_[i] = words_[i] << 32 | i;
    }
  }

  Prediction predict() {
    if (rises_ || falls_ || mended_ || runs_ > 1) return sequence({guard()});
    if (plan_.digits == 1 || crowded()) return sequence({by_pivots()});
    if (!machine_.derives()) return sequence({partition(), buckets()});
    return sequence({sample(), partition(), buckets()});
  }

 private:
  /// Minimum number of elements of a range whose parts a thread offers to others.
  double shared() const { return msd::shared_range(n_, static_cast<int>(threads_)); }

  /// Elements that pivots leave to a core's cache: fewer where threads share, so that all have something to do.
  double in_cache() const { return std::min(static_cast<double>(plan_.bucket), shared()); }

  /// Typical range that the team partitions together: geometric mean of its first and its last ranges.
  double together() const {
    const std::uint32_t ranges = msd::ranges_of_team(static_cast<std::uint64_t>(n_), static_cast<int>(threads_));
    return ranges == 1 ? n_ : std::numbers::sqrt2 * n_ / ranges;
  }

  /// True if the input is in order except for a few elements that the sortedness check takes out, by the plug-in's own
  /// test on the trace.
  bool is_mended(const Workload& workload) {
    if (threads_ > msd::kMaxRepairThreads) return false;
    const double most = static_cast<double>(msd::max_misplaced(workload.n)) / n_;
    using Keys = msd::Misplaced<std::uint64_t, NoValue>;
    const auto mine = static_cast<std::uint64_t>(most * static_cast<double>(words_.size()));
    Keys trace{words_.data(), nullptr, words_.size()};
    const auto ascending = [](const void* elements, std::size_t n) {
      const auto* const words = static_cast<const std::uint64_t*>(elements);
      return static_cast<std::size_t>(std::is_sorted_until(words, words + n) - words);
    };
    return trace.find(mine, {.ascending = ascending}) && trace.taken() > 0;
  }

  /// Number of long ascending or descending runs of the input, if they are few enough to be merged; else 1. The
  /// plug-in's own test decides on the trace.
  std::size_t runs() const {
    std::size_t count = 0;
    for (auto begin = words_.begin(); begin != words_.end(); ++count) {
      if (count == msd::kMaxRuns) return 1;
      const auto up = std::is_sorted_until(begin, words_.end());
      const auto down = std::is_sorted_until(begin, words_.end(), std::greater{});
      const auto end = std::max(up, down);
      if (end != words_.end() && !msd::is_long_run(static_cast<std::uint64_t>(end - begin), words_.size())) return 1;
      begin = end;
    }
    return count;
  }

  /// An input in order is only checked, and reversed if it descends. Where few elements are out of order, all others
  /// move twice; the time of the few is neglected. Two runs are copied and merged back; more are merged twice.
  PhasePrediction guard() const {
    const double bytes = n_ * (form_.key + form_.value);
    PhasePrediction prediction{.name = "sortedness check", .pass = 0, .seconds = 0, .binding = "memory"};
    const double keys = n_ * form_.key;
    prediction.seconds = n_ * (form_.is_word ? machine_.at(table_ + "guard", {1, form_.key, form_.value, keys})
                                             : machine_.at(table_ + "check", {form_.checked, form_.key, keys}));
    if (runs_ > 1) {
      const double merged = machine_.at("msd.merge", {form_.key, form_.value, keys});
      prediction.seconds += n_ * (runs_ == 2 ? merged : 2 * merged - 4 * bytes / n_ / machine_.at("copy", {1, bytes}));
      prediction.binding = "issue";
    }
    const double moved = rises_ || runs_ > 1 ? 0 : falls_ ? 2 * bytes : 4 * bytes;
    prediction.seconds += moved / machine_.at("copy", {1, bytes});
    prediction.work = {{"elements", n_}, {"bytes.memory", bytes + moved}};
    return prediction;
  }

  /// True if a quarter of the words lie in buckets too large for the cache: the sort then falls back to pivots. The
  /// range is that of a sample, its ends at their medians over samples, plus a margin.
  bool crowded() {
    const auto all = static_cast<double>(words_.size());
    const auto end = static_cast<std::size_t>(all * std::log(2) / kSampled);
    msd::Range<std::uint64_t> range{words_[end], words_[words_.size() - 1 - end]};
    const std::uint64_t margin = (range.high - range.low) / static_cast<std::uint64_t>(kSampled / 4);
    range.low -= std::min(range.low, margin);
    range.high += std::min((form_.word == 4 ? 0xFFFFFFFF : ~std::uint64_t{0}) - range.high, margin);
    map_ = Digits{range, plan_.digits};
    const double fits = all * std::max(2 / kSampled, 2 * static_cast<double>(plan_.capacity) / n_);
    double much = 0;
    for_each_digit(words_, map_, [&](SortedWords words) {
      if (static_cast<double>(words.size()) > fits) much += static_cast<double>(words.size());
    });
    return much > all / 4;
  }

  static void for_each_digit(SortedWords words, const Digits& map, const auto& group) {
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
      const std::uint32_t digit = map(words[begin]);
      while (end < words.size() && map(words[end]) == digit) ++end;
      group(words.subspan(begin, end - begin));
    }
  }

  PhasePrediction by_pivots() {
    PhasePrediction prediction{.name = "sort", .pass = 0, .seconds = 0, .binding = "issue"};
    prediction.seconds = sort_.by_team(words_, n_);
    prediction.work = sort_.work();
    if (!form_.direct) {  // from keys and values to words, and back
      const double bytes = n_ * (form_.key + form_.value + form_.element);
      prediction.seconds += 2 * bytes / machine_.at("copy", {threads_, bytes / threads_});
      prediction.work["bytes.memory"] = 2 * bytes;
    }
    if (sort_.work().contains("digits")) prediction.seconds += fetched();
    if (threads_ > 1) prediction.seconds += machine_.at("wake", {threads_});
    return prediction;
  }

  /// A core's cacheful of words and digits, evicted by all that was read and written since the last sort: the input,
  /// its saved copy, and scratch memory.
  double fetched() const {
    const double bytes = in_cache() * (form_.element + sizeof(std::uint16_t));
    return bytes / kLine * machine_.at("touch", {threads_, n_ * (2 * (form_.key + form_.value) + form_.element)});
  }

  /// The sampled words whose digits decide the mode; between the plug-in's phases, and no component of calibration's.
  PhasePrediction sample() const {
    return {.name = "sample",
            .pass = 0,
            .seconds = machine_.at(table_ + "sample", {1, static_cast<double>(map_.count)}),
            .binding = "issue",
            .work = {{"sampled", kSampled}}};
  }

  /// Seconds per element of a thread, from memory to the blocks of its digit.
  double appending(double digits) const {
    return machine_.at(table_ + "append", {threads_, form_.key, form_.value, digits, double(plan_.lines)});
  }

  PhasePrediction partition() const {
    PhasePrediction prediction{.name = "partition", .pass = 0, .seconds = 0, .binding = "memory"};
    prediction.seconds = n_ / threads_ * appending(map_.count);
    if (threads_ > 1) prediction.seconds += machine_.at("wake", {threads_}) + 2 * machine_.at("barrier", {threads_});
    // Calibration measures appending with large blocks.
    const double blocks = n_ / plan_.block_elements;
    if (machine_.derives()) prediction.seconds += blocks / threads_ * machine_.at(table_ + "lengthen");
    prediction.work = {
        {"elements", n_}, {"blocks", blocks}, {"bytes.memory", n_ * (form_.key + form_.value + form_.element)}};
    return prediction;
  }

  PhasePrediction buckets() {
    PhasePrediction prediction{.name = "sort", .pass = 0, .seconds = 0, .binding = "issue"};
    double moved = 0;
    double split = 0;
    double seconds = 0;  // seconds of one thread
    for_each_digit(words_, map_, [&](SortedWords words) { seconds += bucket(words, 0, moved, split); });
    prediction.seconds = seconds / threads_;
    prediction.work = sort_.work();
    prediction.work["moved"] = moved;
    if (split > 0) prediction.work["split"] = split;
    return prediction;
  }

  /// Seconds of one thread for a bucket that lies in memory.
  double bucket(SortedWords words, int splits, double& moved, double& split) {
    const double size = n_ * static_cast<double>(words.size()) / static_cast<double>(words_.size());
    if (words.front() != words.back() && size > static_cast<double>(plan_.capacity)) {
      split += size;
      double seconds = size * appending(msd::kSplit);
      for_each_digit(words, Digits{split_range(words, splits), msd::kSplit},
                     [&](SortedWords part) { seconds += bucket(part, splits + 1, moved, split); });
      return seconds;
    }
    moved += size;
    const double read = size * form_.element / machine_.at("read", {threads_, kBeyondCaches});
    const double written = size * (form_.key + form_.value) / machine_.at("write_nt", {threads_, kBeyondCaches});
    double moving = (read + written) * threads_;
    if (machine_.derives()) moving += size / plan_.block_elements * machine_.at(table_ + "block");
    if (words.front() == words.back()) return moving;
    if (sort_.narrows(words, size)) return moving + sort_.narrowed(words, size);
    return moving + (sort_.by_digits(words, size) ? sort_.bucket(size) : sort_.seconds(words, size, false));
  }

  /// Alternately the range that holds most words, or the single word that is most of it; and the whole.
  static msd::Range<std::uint64_t> split_range(SortedWords words, int splits) {
    const std::size_t end = splits % 2 == 0 ? words.size() / 30 : 0;
    msd::Range<std::uint64_t> range{words[end], words[words.size() - 1 - end]};
    if (range.low == range.high) {
      range.low -= range.low > words.front() ? 1 : 0;
      range.high += range.high < words.back() ? 1 : 0;
    }
    return range;
  }

  const Pieces& machine_;
  double n_, threads_;
  msd::ModelledForm form_;
  msd::Plan plan_;
  std::string table_;     ///< "msd.avx2."
  bool rises_ = false;    ///< the whole trace, across its blocks too; equal neighbours allowed
  bool falls_ = false;    ///< likewise
  bool mended_ = false;   ///< the sortedness check puts it in order
  std::size_t runs_ = 1;  ///< runs that are merged
  PivotSort sort_;
  std::vector<std::uint64_t> words_;  ///< words of single keys, sorted; before that of the trace, in the input's order
  Digits map_;                        ///< digits of the first partition
};

const RegisterCpuModels<MsdRadix> registered{
    "msd_radix_cpu", "digits through memory or pivots in place, then networks in cache", "this project",
    "digits or pivots from the top, on a CPU", derived_msd_piece};

}  // namespace
}  // namespace sortlab

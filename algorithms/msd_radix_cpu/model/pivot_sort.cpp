#include "algorithms/msd_radix_cpu/model/pivot_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/msd_radix_cpu/plan.hpp"

namespace sortlab {
namespace {

constexpr double kTelling = 32;                              // words that determine how a range is partitioned
constexpr std::size_t kMaxMadeWords = std::size_t{1} << 16;  // words made to stand for random ones

// A random sample of the model's own; the sort's 64 words are evenly spaced.
constexpr std::size_t kSampled = 128;  // sampled words that reveal frequent ones
constexpr std::size_t kFrequentInSample =
    kSampled / msd::kFrequentShare;     // occurrences of a frequent word in the sample
constexpr double kFrequentFrom = 4096;  // smallest range in which they are looked for

std::uint64_t median(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Exchanges of registers in the networks of a matrix of `rows` rows and `lanes` lanes: those of its columns (Knuth 3,
/// section 5.3.4), and the pairwise merges of columns.
double exchanges(std::size_t rows, std::size_t lanes) {
  const double columns = rows >= 16 ? 60 : rows == 8 ? 19 : rows == 4 ? 5 : rows == 2 ? 1 : 0;
  const auto half = static_cast<double>(rows) / 2;
  double merges = 0;
  for (std::size_t merged = 2, steps = 0; merged <= lanes; merged *= 2, ++steps) {
    merges += std::max(1.0, half) + static_cast<double>(rows * steps) + half * std::log2(rows);
  }
  return columns + merges;
}

}  // namespace

PivotSort::PivotSort(const Kind& kind, const Pieces& machine)
    : kind_(kind), machine_(machine), lanes_(kind_.register_bytes / static_cast<std::size_t>(kind_.word)) {
  if (kind.word != 8 || kind.values) return;
  Kind narrow = kind;
  narrow.word = 4;
  narrow_ = std::make_unique<PivotSort>(narrow, machine);
}

bool PivotSort::narrows(SortedWords words, double size) const {
  return narrow_ != nullptr && size >= msd::kNarrowed && msd::is_narrow(words.front(), words.back());
}

double PivotSort::narrowed(SortedWords words, double size) {
  std::vector<std::uint64_t> less(words.begin(), words.end());
  for (std::uint64_t& word : less) word -= words.front();
  const double sorted = narrow_->seconds(less, size, false);
  for (const auto& [kind, amount] : std::exchange(narrow_->work_, {})) work_[kind] += amount;
  const double bytes = 3 * size * 4;  // read as 64 bits and written as 32, or back
  return sorted + 2 * bytes / machine_.at("copy", {kind_.threads, bytes}) * kind_.threads;
}

double PivotSort::at(const char* piece, std::initializer_list<double> more) const {
  std::vector<double> all{kind_.threads, kind_.word, kind_.values ? kind_.word : 0};
  all.insert(all.end(), more);
  return machine_.at(kind_.table + piece, all);
}

double PivotSort::seconds(SortedWords words, double size, bool digits) {
  if (size <= 1) return 0;
  const auto known = static_cast<double>(words.size());
  if (known < std::min(size, kTelling)) {
    const bool equal = known > kTelling / 4 && words.front() == words.back();
    return equal ? parted(size, 1, 1) : even(size, digits);
  }
  if (digits && size <= kind_.in_cache) {
    if (narrows(words, size)) return narrowed(words, size) + (kind_.returns ? returned(size) : 0);
    if (by_digits(words, size)) return bucket(size) + (kind_.returns ? returned(size) : 0);
    digits = false;
  }
  if (size <= static_cast<double>(msd::network_rows(kind_.values) * lanes_)) return network(size);
  const Parted part = by_pivot(words, size);
  return part.seconds + seconds(part.lesser, part.less, digits) + seconds(part.greater, part.above, digits);
}

PivotSort::Parted PivotSort::by_pivot(SortedWords words, double size) {
  const Parts part = parts(words, size >= kFrequentFrom);
  const double scale = size / static_cast<double>(words.size());
  return {.seconds = parted(size, part.repeats, part.reads),
          .lesser = words.first(part.less),
          .greater = words.subspan(part.below),
          .less = static_cast<double>(part.less) * scale,
          .above = static_cast<double>(words.size() - part.below) * scale};
}

double PivotSort::by_team(SortedWords words, double size) {
  if (kind_.threads <= 1) return seconds(words, size);
  seconds(words, size);  // for the work
  const std::map<std::string, double> work = work_;
  const Shared all = shared(words, size);
  work_ = work;
  return all.together + std::max(all.work / kind_.threads, all.longest);
}

PivotSort::Shared PivotSort::shared(SortedWords words, double size) {
  if (size <= kind_.together || static_cast<double>(words.size()) < kTelling) {
    return {.together = 0, .work = seconds(words, size) + received(size * element()), .longest = longest(words, size)};
  }
  const Parted part = by_pivot(words, size);
  const Shared lower = shared(part.lesser, part.less);
  const Shared upper = shared(part.greater, part.above);
  const double share = part.seconds / kind_.threads + received(size / kind_.threads * element());
  return {.together = share + 2 * machine_.at("barrier", {kind_.threads}) + lower.together + upper.together,
          .work = lower.work + upper.work,
          .longest = std::max(lower.longest, upper.longest)};
}

double PivotSort::longest(SortedWords words, double size) {
  if (size <= kind_.shared || static_cast<double>(words.size()) < kTelling) return seconds(words, size);
  const Parted part = by_pivot(words, size);
  const double lower = seconds(part.lesser, part.less);
  const double upper = seconds(part.greater, part.above);
  double rest = (lower + upper) / kind_.threads;
  if (lower > rest) rest = std::max(rest, longest(part.lesser, part.less));
  if (upper > rest) rest = std::max(rest, longest(part.greater, part.above));
  return part.seconds + rest;
}

double PivotSort::received(double bytes) const {
  if (kind_.threads <= 1) return 0;
  return (1 - 1 / kind_.threads) * machine_.at("handover", {bytes});
}

bool PivotSort::by_digits(SortedWords words, double size) const {
  const auto word_bytes = static_cast<std::size_t>(kind_.word);
  if (!msd::sorts_by_digits(word_bytes, static_cast<std::size_t>(size)) || words.front() == words.back()) return false;
  const msd::Digits<std::uint64_t> part{{words.front(), words.back()}, msd::kEvenParts};
  std::vector<double> counts(part.count);
  for (const std::uint64_t word : words) ++counts[part(word)];
  // The largest part is by chance about twice its fair share.
  const double mean = static_cast<double>(words.size()) / msd::kEvenParts;
  return std::ranges::max(counts) <= msd::kFullPart / 2.0 * std::max(2.0, mean);
}

double PivotSort::bucket(double size) {
  work_["digits"] += size;
  return size * at("bucket", {size});
}

double PivotSort::returned(double size) const {
  const double bytes = 2 * size * element();
  return bytes / machine_.at("copy", {kind_.threads, bytes}) * kind_.threads;
}

std::uint64_t PivotSort::draw(SortedWords words) {  // SplitMix64
  random_ += 0x9e3779b97f4a7c15;
  std::uint64_t r = random_;
  r = (r ^ (r >> 30)) * 0xbf58476d1ce4e5b9;
  r = (r ^ (r >> 27)) * 0x94d049bb133111eb;
  return words[(r ^ (r >> 31)) % words.size()];
}

/// The pivot is the median of the medians of three medians of three, one of each lane.
PivotSort::Parts PivotSort::parts(SortedWords words, bool many) {
  std::vector<std::uint64_t> medians(lanes_);
  for (std::uint64_t& lane : medians) {
    std::array<std::uint64_t, 9> s;
    for (std::uint64_t& word : s) word = draw(words);
    lane = median(median(s[0], s[1], s[2]), median(s[3], s[4], s[5]), median(s[6], s[7], s[8]));
  }
  std::ranges::sort(medians);
  Parts parts{0, 0, 2, 1};
  const auto outermost = [&](std::uint64_t word) { return word == medians.front() || word == medians.back(); };
  if (!kind_.values && many && std::ranges::all_of(medians, outermost) && take_out(words, parts)) return parts;
  const std::uint64_t pivot = medians[lanes_ / 2];
  parts.less = static_cast<std::size_t>(std::ranges::lower_bound(words, pivot) - words.begin());
  parts.below = static_cast<std::size_t>(std::ranges::upper_bound(words, pivot) - words.begin());
  const auto times = static_cast<std::size_t>(std::ranges::count(medians, pivot));
  const bool in_three = 2 * times >= lanes_ || (times > 1 && medians.back() == pivot);
  parts.repeats = (kind_.values ? times > 1 : in_three) ? 1 : 0;
  if (parts.repeats == 0) {
    // Words up to the pivot are separated from the others; where there are no others, those equal to it.
    parts.reads = parts.below == words.size() ? 2 : 1;
    if (parts.reads == 1) parts.less = parts.below;
  }
  return parts;
}

/// Up to two words that together make up most of the range are removed. Words between them count as those above.
bool PivotSort::take_out(SortedWords words, Parts& parts) {
  std::array<std::uint64_t, kSampled> sample;
  for (std::uint64_t& word : sample) word = draw(words);
  std::ranges::sort(sample);
  std::size_t all = 0;
  std::vector<std::uint64_t> many;
  for (std::size_t begin = 0, end = 0; begin < kSampled && many.size() < 2; begin = end) {
    while (end < kSampled && sample[end] == sample[begin]) ++end;
    if (end - begin <= kFrequentInSample) continue;
    many.push_back(sample[begin]);
    all += end - begin;
  }
  if (!msd::are_most(all, kSampled)) return false;
  parts.less = static_cast<std::size_t>(std::ranges::lower_bound(words, many.front()) - words.begin());
  parts.below = static_cast<std::size_t>(std::ranges::upper_bound(words, many.back()) - words.begin());
  return true;
}

double PivotSort::parted(double size, int repeats, int reads) {
  ++work_["pivots"];
  work_[repeats == 0 ? "parted" : "parted.repeats"] += size * reads;
  return size * reads * at("part", {static_cast<double>(repeats), size * element()});
}

double PivotSort::network(double size) {
  const auto lanes = static_cast<double>(lanes_);
  const std::size_t rows = std::bit_ceil(static_cast<std::size_t>(std::ceil(size / lanes)));
  const double elements = static_cast<double>(rows) * lanes;
  work_["exchanges"] += exchanges(rows, lanes_);
  return elements * at("network", {elements});
}

/// Distinct random words, by one thread.
double PivotSort::even(double size, bool digits) {
  const int step = static_cast<int>(std::lround(16 * std::log2(size)));
  const auto known = even_.find({step, digits});
  if (known == even_.end()) {
    const double grid = std::max(1.0, std::exp2(step / 16.0));
    std::vector<std::uint64_t> words(std::min(static_cast<std::size_t>(grid) + 1, kMaxMadeWords));
    std::iota(words.begin(), words.end(), std::uint64_t{0});
    std::map<std::string, double> before;
    std::swap(before, work_);
    const double each = seconds(words, grid, digits) / grid;
    for (auto& [kind, amount] : work_) amount /= grid;
    std::swap(before, work_);
    even_[{step, digits}] = {each, before};
  }
  const Known& one = even_.at({step, digits});
  for (const auto& [kind, amount] : one.work) work_[kind] += amount * size;
  return one.seconds * size;
}

}  // namespace sortlab

#include "models/pivot_sort.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "algorithms/msd_radix_cpu/kernels.hpp"  // its map of digits

namespace sortlab {
namespace {

constexpr double kTelling = 32;                           // words that tell how a range parts
constexpr std::size_t kMostWords = std::size_t{1} << 16;  // that stand for random ones

// The plug-in: 64-bit words from which on digits may be faster; parts of their range, which are about as full if none
// holds more of as many sampled words.
constexpr double kByDigits = 4096;
constexpr std::size_t kEvenParts = 256;
constexpr double kFull = 9;

// The plug-in, in a sample: words that are there more often are many, if together they are three quarters of it.
constexpr std::size_t kSampled = 128;
constexpr std::size_t kMany = kSampled / 20;
constexpr double kFrequentFrom = 4096;  // words from which on it is drawn

std::uint64_t median(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return std::max(std::min(a, b), std::min(std::max(a, b), c));
}

/// Exchanges of registers in the networks of a matrix of so many rows and lanes: those of its columns (Knuth 3, section
/// 5.3.4), and the merges of columns two by two.
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

PivotSort::PivotSort(Kind kind, const MachineProfile& machine)
    : kind_(std::move(kind)), machine_(machine), lanes_(kind_.register_bytes / static_cast<std::size_t>(kind_.word)) {}

double PivotSort::at(const char* piece, std::initializer_list<double> more) const {
  std::vector<double> all{kind_.threads, kind_.word, kind_.values ? kind_.word : 0};
  all.insert(all.end(), more);
  return machine_.at(kind_.table + piece, all);
}

double PivotSort::seconds(SortedWords words, double size, double team, bool digits) {
  if (size <= 1) return 0;
  const auto known = static_cast<double>(words.size());
  if (known < std::min(size, kTelling)) {
    const bool equal = known > kTelling / 4 && words.front() == words.back();
    return equal ? parted(size, 1, 1, 1) : even(size, digits) / team;
  }
  if (team <= 1 && digits && size <= kind_.in_cache) {
    if (by_digits(words, size)) return bucket(size) + (kind_.returns ? returned(size) : 0);
    digits = false;
  }
  if (size <= static_cast<double>((kind_.values ? 8 : 16) * lanes_)) return network(size);
  const Parts part = parts(words, size >= kFrequentFrom);
  const double scale = size / known;
  const double less = static_cast<double>(part.less) * scale;
  const double above = static_cast<double>(words.size() - part.below) * scale;
  const double share = less + above > 0 ? less / (less + above) : 0;
  const bool together = team > 1 && size > kind_.together;
  const double parting = together ? parted(size, part.repeats, part.reads, 1) / team + meetings()
                                  : parted(size, part.repeats, part.reads, team);
  // Whoever has done takes over what others left: a side has the threads that its share of the words asks for, and
  // less than one is one of which the other side has the rest.
  const auto side = [&](SortedWords those, double elements, double of_all) {
    const double threads = team * of_all;
    if (team <= 1 || threads >= 1) return seconds(those, elements, std::max(1.0, threads), digits);
    return elements <= 1 ? 0 : seconds(those, elements, 1, digits) / threads;
  };
  const double lower = side(words.first(part.less), less, share);
  const double upper = side(words.subspan(part.below), above, 1 - share);
  return parting + (team > 1 ? std::max(lower, upper) : lower + upper);
}

/// Of all threads, which part their shares and then exchange words.
double PivotSort::meetings() const {
  return 2 * machine_.at("barrier", {kind_.threads});
}

bool PivotSort::by_digits(SortedWords words, double size) const {
  if (kind_.word != 8 || size < kByDigits || words.front() == words.back()) return false;
  const msd::Digits<std::uint64_t> part{{words.front(), words.back()}, kEvenParts};
  std::vector<double> counts(part.count);
  for (const std::uint64_t word : words) ++counts[part(word)];
  // The fullest of so many parts is about twice as full by chance as it is by rights.
  const double mean = static_cast<double>(words.size()) / kEvenParts;
  return std::ranges::max(counts) <= kFull / 2 * std::max(2.0, mean);
}

double PivotSort::bucket(double size) {
  work_["digits"] += size;
  return size * at("bucket", {size});
}

double PivotSort::returned(double size) const {
  const double bytes = 2 * size * kind_.word * (kind_.values ? 2 : 1);
  return bytes / machine_.at("copy", {kind_.threads, bytes}) * kind_.threads;
}

std::uint64_t PivotSort::draw(SortedWords words) {  // by SplitMix64
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
    // Words up to the pivot are parted from the others. Where there are no others, those equal to it are.
    parts.reads = parts.below == words.size() ? 2 : 1;
    if (parts.reads == 1) parts.less = parts.below;
  }
  return parts;
}

/// Up to two words that together are most of the range leave it. What lies between them is counted to those above.
bool PivotSort::take_out(SortedWords words, Parts& parts) {
  std::array<std::uint64_t, kSampled> sample;
  for (std::uint64_t& word : sample) word = draw(words);
  std::ranges::sort(sample);
  std::size_t all = 0;
  std::vector<std::uint64_t> many;
  for (std::size_t begin = 0, end = 0; begin < kSampled && many.size() < 2; begin = end) {
    while (end < kSampled && sample[end] == sample[begin]) ++end;
    if (end - begin <= kMany) continue;
    many.push_back(sample[begin]);
    all += end - begin;
  }
  if (all < kSampled * 3 / 4) return false;
  parts.less = static_cast<std::size_t>(std::ranges::lower_bound(words, many.front()) - words.begin());
  parts.below = static_cast<std::size_t>(std::ranges::upper_bound(words, many.back()) - words.begin());
  return true;
}

double PivotSort::parted(double size, int repeats, int reads, double team) {
  ++work_["pivots"];
  work_[repeats == 0 ? "parted" : "parted.repeats"] += size * reads;
  const double active = std::max(1.0, kind_.threads / team);
  const double bytes = size * kind_.word * (kind_.values ? 2 : 1);
  return size * reads *
         machine_.at(kind_.table + "part",
                     {active, kind_.word, kind_.values ? kind_.word : 0, static_cast<double>(repeats), bytes});
}

double PivotSort::network(double size) {
  const auto lanes = static_cast<double>(lanes_);
  const std::size_t rows = std::bit_ceil(static_cast<std::size_t>(std::ceil(size / lanes)));
  const double elements = static_cast<double>(rows) * lanes;
  work_["exchanges"] += exchanges(rows, lanes_);
  return elements * at("network", {elements});
}

/// Random words that all differ, by one thread.
double PivotSort::even(double size, bool digits) {
  const int step = static_cast<int>(std::lround(16 * std::log2(size)));
  const auto known = even_.find({step, digits});
  if (known == even_.end()) {
    const double grid = std::max(1.0, std::exp2(step / 16.0));
    std::vector<std::uint64_t> words(std::min(static_cast<std::size_t>(grid) + 1, kMostWords));
    std::iota(words.begin(), words.end(), std::uint64_t{0});
    std::map<std::string, double> before;
    std::swap(before, work_);
    const double each = seconds(words, grid, 1, digits) / grid;
    for (auto& [kind, amount] : work_) amount /= grid;
    std::swap(before, work_);
    even_[{step, digits}] = {each, before};
  }
  const Known& one = even_.at({step, digits});
  for (const auto& [kind, amount] : one.work) work_[kind] += amount * size;
  return one.seconds * size;
}

}  // namespace sortlab

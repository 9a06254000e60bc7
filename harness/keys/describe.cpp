#include "harness/keys/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

#include "core/printable.hpp"
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/ranges.hpp"
#include "harness/keys/key_counter.hpp"
#include "models/distribution_view.hpp"

namespace sortlab {
namespace {

/// Keys of the ordered sample, at most: all keys of smaller files.
constexpr std::uint64_t kSample = std::uint64_t{1} << 20;
constexpr std::size_t kQuantiles = 256;
constexpr std::size_t kPositions = 2048;
constexpr double kNormal95 = 1.96;  // standard errors in half of a 95 % interval

/// The keys at random places of equal parts of a file, in the file's order, as the pass meets them.
class OrderedSample {
 public:
  explicit OrderedSample(std::uint64_t n) : n_(n), keys_(std::min(n, kSample)) {}

  template <class K>
  void take(std::uint64_t first, std::uint64_t count, const std::byte* bytes) {
    const std::uint64_t parts = keys_.size();
    const std::uint64_t end = std::min(parts, part_containing(n_, parts, first + count - 1) + 1);
    for (std::uint64_t part = part_containing(n_, parts, first); part < end; ++part) {
      const std::uint64_t place = place_in(part);
      if (place < first || place >= first + count) continue;
      K key;
      std::memcpy(&key, bytes + (place - first) * sizeof(K), sizeof(K));
      keys_[part] = to_ordered(key);
    }
  }

  const std::vector<uint128>& keys() const { return keys_; }
  bool is_whole() const { return keys_.size() == n_; }

 private:
  std::uint64_t place_in(std::uint64_t part) const {
    const std::uint64_t begin = part_begin(0, n_, keys_.size(), part);
    const std::uint64_t end = part_begin(0, n_, keys_.size(), part + 1);
    return begin + scaled(random64(philox(1, part, 0).data()), end - begin);
  }

  std::uint64_t n_;
  std::vector<uint128> keys_;
};

double entropy(double share) {
  const auto term = [](double p) { return p > 0 ? -p * std::log2(p) : 0.0; };
  return term(share) + term(1 - share);
}

/// Number of pairs in the wrong order. Sorts the keys by merging.
std::uint64_t count_inversions(std::vector<uint128>& keys) {
  std::vector<uint128> merged(keys.size());
  std::uint64_t inversions = 0;
  for (std::size_t width = 1; width < keys.size(); width *= 2) {
    for (std::size_t begin = 0; begin < keys.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, keys.size());
      const std::size_t end = std::min(begin + 2 * width, keys.size());
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t to = begin; to < end; ++to) {
        const bool from_right = right < end && (left == middle || keys[right] < keys[left]);
        if (from_right) inversions += middle - left;
        merged[to] = keys[from_right ? right++ : left++];
      }
    }
    keys.swap(merged);
  }
  return inversions;
}

/// A key as a number, for pictures: 64-bit keys lose their last digits.
double as_number(uint128 bits, KeyType type) {
  return with_key_type(type,
                       [&]<class K>() { return static_cast<double>(from_ordered<K>(static_cast<Bits<K>>(bits))); });
}

std::string as_text(uint128 bits, KeyType type) {
  return with_key_type(type, [&]<class K>() -> std::string {
    const K key = from_ordered<K>(static_cast<Bits<K>>(bits));
    if constexpr (std::is_same_v<K, uint128>) {
      return fmt::format("0x{:016x}{:016x}", static_cast<std::uint64_t>(key >> 64), static_cast<std::uint64_t>(key));
    } else {
      return fmt::format("{}", key);
    }
  });
}

/// Total variation distance of two vectors of shares.
double variation(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(a[i] - b[i]);
  return sum / 2;
}

/// Features of an input that a synthetic one is compared by.
struct Features {
  std::vector<std::vector<double>> digits;
  double descents = 0;
  double distinct = 0;

  Features(const NamedDistribution& named, KeyType key, std::uint64_t n) {
    constexpr std::uint64_t traced = std::uint64_t{1} << 16;
    const DistributionView view{named, key, n, 1, traced};
    const std::vector<uint128>& spread = view.spread();
    for (std::uint32_t digit = 0; digit < byte_size(key); ++digit) {
      std::vector<double> shares(256);
      for (const uint128 bits : spread) shares[static_cast<std::uint8_t>(bits >> (8 * digit))] += 1;
      for (double& share : shares) share /= static_cast<double>(std::max<std::size_t>(1, spread.size()));
      digits.push_back(std::move(shares));
    }
    descents = view.descents();
    std::size_t different = spread.empty() ? 0 : 1;
    for (std::size_t i = 1; i < spread.size(); ++i) different += spread[i] != spread[i - 1];
    distinct = spread.empty() ? 0 : static_cast<double>(different) / static_cast<double>(spread.size());
  }
};

/// Synthetic distributions that a file is compared with: each with its defaults, and families with usual parameters.
std::vector<std::string> find_candidates(KeyType key, uint128 largest) {
  std::vector<std::string> texts;
  for (const Distribution* distribution : all_distributions()) {
    const DistributionInfo& info = distribution->info();
    if (!distribution->makes_records() && !takes_text(info.parameters)) texts.push_back(info.name);
  }
  for (const char* const text :
       {"thearling:ands=1", "thearling:ands=3", "thearling:ands=4", "thearling:ands=5", "zipf:theta=0.5",
        "zipf:theta=1", "zipf:theta=1,map=hashed", "few_distinct:distinct=2", "few_distinct:distinct=256",
        "few_distinct:distinct=65536", "runs:runs=256", "runs:runs=4096", "nearly_sorted:swaps=100000"}) {
    texts.emplace_back(text);
  }
  if (key == KeyType::u32 || key == KeyType::u64) {
    int bits = 1;
    while (bits < 64 && (largest >> bits) != 0) ++bits;
    if (bits < static_cast<int>(8 * byte_size(key))) {
      for (const char* const name : {"uniform", "sorted", "nearly_sorted", "runs"}) {
        texts.push_back(fmt::format("{}:range_bits={}", name, bits));
      }
    }
  }
  return texts;
}

/// Fills in what the sample tells: frequent keys, distinct ones of a small file, inversions, and the picture's curves.
void add_sampled(KeyDescription& d, const OrderedSample& sample) {
  const KeyType type = d.file.key;
  std::vector<uint128> keys = sample.keys();
  const std::size_t count = keys.size();
  const auto m = static_cast<double>(count);
  std::vector<uint128> over_position;
  for (std::size_t i = 0; i < std::min(kPositions, count); ++i) {
    over_position.push_back(keys[part_begin(0, count, std::min(kPositions, count), i)]);
  }
  const double pairs = m * (m - 1) / 2;
  const std::uint64_t inversions = count_inversions(keys);
  d.inversions.value = pairs > 0 ? static_cast<double>(inversions) / pairs : 0;
  // The pairs are not independent: the error is that of a mean over the keys.
  if (!sample.is_whole()) d.inversions.error = kNormal95 / std::sqrt(m);
  for (const uint128 key : over_position) {
    const auto [below, above] = std::equal_range(keys.begin(), keys.end(), key);
    d.over_position.push_back(static_cast<double>(below - keys.begin() + (above - below - 1) / 2) / m);
  }
  std::size_t most = 0;
  std::size_t distinct = 0;
  for (std::size_t begin = 0, end = 0; begin < count; begin = end, ++distinct) {
    while (end < count && keys[end] == keys[begin]) ++end;
    most = std::max(most, end - begin);
  }
  const double share = static_cast<double>(most) / m;
  d.most_frequent = {share, sample.is_whole() ? 0 : kNormal95 * std::sqrt(std::max(share * (1 - share), 1 / m) / m)};
  if (sample.is_whole()) d.distinct = {static_cast<double>(distinct), 0};
  for (std::size_t q = 0; q <= kQuantiles; ++q) {
    d.quantiles.push_back(as_number(keys[std::min(count - 1, q * count / kQuantiles)], type));
  }
}

void add_counted(KeyDescription& d, const KeyCounts& counts) {
  const auto n = static_cast<double>(d.file.n);
  d.smallest = as_text(counts.smallest, d.file.key);
  d.largest = as_text(counts.largest, d.file.key);
  d.nan = counts.nan;
  d.infinite = counts.infinite;
  d.zeros = counts.zeros;
  d.distinct = {std::min(n, counts.distinct.estimate()), 0};
  d.distinct.error = kNormal95 * DistinctCounter::standard_error() * d.distinct.value;
  d.runs = counts.descents + 1;
  const double neighbours = std::max(1.0, n - 1);
  d.descents = static_cast<double>(counts.descents) / neighbours;
  d.repeats = static_cast<double>(counts.repeats) / neighbours;
  for (int digit = static_cast<int>(byte_size(d.file.key)) - 1; digit >= 0; --digit) {
    const auto& values = counts.digits[static_cast<std::size_t>(digit)];
    double bits = 0;
    std::array<double, 8> ones{};
    for (std::size_t v = 0; v < values.size(); ++v) {
      const double share = static_cast<double>(values[v]) / n;
      if (share > 0) bits -= share * std::log2(share);
      for (std::size_t bit = 0; bit < 8; ++bit) ones[bit] += (v >> bit & 1) != 0 ? share : 0;
    }
    d.digit_entropies.push_back(std::abs(bits));
    for (std::size_t bit = 8; bit-- > 0;) {
      d.bit_shares.push_back(ones[bit]);
      d.bit_entropies.push_back(entropy(std::min(1.0, ones[bit])));
    }
  }
}

/// The counts of the whole file and its sample, collected by the threads that read it.
class Collector {
 public:
  void visit(const KeyFile& file, std::uint64_t first, std::uint64_t count, const std::byte* keys) {
    std::unique_ptr<KeyCounts> counts;
    {
      const std::scoped_lock lock{changing_};
      if (!sample_) sample_ = std::make_unique<OrderedSample>(file.n);
      if (!free_.empty()) {
        counts = std::move(free_.back());
        free_.pop_back();
      }
    }
    if (!counts) counts = std::make_unique<KeyCounts>();
    ChunkEnds ends;
    with_key_type(file.key, [&]<class K>() {
      ends = counts->add<K>(keys, count);
      sample_->take<K>(first, count, keys);
    });
    const std::scoped_lock lock{changing_};
    free_.push_back(std::move(counts));
    ends_[first] = ends;
  }

  KeyCounts merged() const {
    KeyCounts all;
    for (const auto& counts : free_) all.merge(*counts);
    const ChunkEnds* before = nullptr;
    for (const auto& [first, ends] : ends_) {
      if (before != nullptr) {
        all.descents += ends.first < before->last;
        all.repeats += ends.first == before->last;
      }
      before = &ends;
    }
    return all;
  }

  const OrderedSample& sample() const { return *sample_; }

 private:
  std::mutex changing_;
  std::vector<std::unique_ptr<KeyCounts>> free_;
  std::map<std::uint64_t, ChunkEnds> ends_;  ///< ends by the chunk's first key
  std::unique_ptr<OrderedSample> sample_;
};

}  // namespace

std::size_t KeyDescription::varying_bits() const {
  return static_cast<std::size_t>(std::ranges::count_if(bit_entropies, [](double bits) { return bits > 0; }));
}

KeyDescription describe_keys(const KeyFileName& name) {
  Collector collector;
  KeyDescription d;
  d.file = open_key_file(name, [&](const KeyFile& file, std::uint64_t first, std::uint64_t count,
                                   const std::byte* keys) { collector.visit(file, first, count, keys); });
  if (d.file.n == 0) throw BadInput(fmt::format("file {}: holds no keys", name.path));
  d.name = std::filesystem::path{name.path}.filename().string();
  if (!name.column.empty()) d.name += ": " + name.column;
  const KeyCounts counts = collector.merged();
  add_counted(d, counts);
  add_sampled(d, collector.sample());
  d.nearest = find_likeness(d.file, find_candidates(d.file.key, counts.largest));
  constexpr std::size_t shown = 3;
  if (d.nearest.size() > shown) d.nearest.resize(shown);
  return d;
}

std::vector<Likeness> find_likeness(const KeyFile& file, const std::vector<std::string>& distributions) {
  add_key_file(file);
  const NamedDistribution own = parse_distribution(fmt::format("file:name=keys,digest={}", file.digest));
  const Features keys{own, file.key, file.n};
  constexpr std::uint64_t compared = std::uint64_t{1} << 18;
  std::vector<Likeness> found;
  for (const std::string& text : distributions) {
    try {
      const Features other{parse_distribution(text), file.key, std::min(file.n, compared)};
      Likeness one{.distribution = text, .digits = 0};
      for (std::size_t d = 0; d < keys.digits.size(); ++d) {
        one.digits = std::max(one.digits, variation(keys.digits[d], other.digits[d]));
      }
      one.order = std::min(1.0, 2 * std::abs(keys.descents - other.descents));
      one.equal = std::abs(keys.distinct - other.distinct);
      one.distance = std::max({one.digits, one.order, one.equal});
      found.push_back(std::move(one));
    } catch (const BadInput&) {
      continue;  // no input of so many keys of this type
    }
  }
  std::ranges::stable_sort(found, {}, &Likeness::distance);
  return found;
}

nlohmann::ordered_json to_json(const KeyDescription& d) {
  const auto estimate = [](const Estimate& e) {
    return nlohmann::ordered_json{{"value", e.value}, {"error", e.error}};
  };
  nlohmann::ordered_json nearest = nlohmann::ordered_json::array();
  for (const Likeness& one : d.nearest) {
    nearest.push_back({{"distribution", one.distribution},
                       {"distance", one.distance},
                       {"digits", one.digits},
                       {"order", one.order},
                       {"equal", one.equal}});
  }
  return {{"kind", "keys"},
          {"name", printable(d.name)},
          {"digest", d.file.digest},
          {"key_type", to_name(d.file.key)},
          {"n", d.file.n},
          {"smallest", d.smallest},
          {"largest", d.largest},
          {"varying_bits", d.varying_bits()},
          {"bit_shares", d.bit_shares},
          {"bit_entropies", d.bit_entropies},
          {"digit_entropies", d.digit_entropies},
          {"distinct", estimate(d.distinct)},
          {"most_frequent", estimate(d.most_frequent)},
          {"runs", d.runs},
          {"descents", d.descents},
          {"repeats", d.repeats},
          {"inversions", estimate(d.inversions)},
          {"nan", d.nan},
          {"infinite", d.infinite},
          {"zeros", d.zeros},
          {"nearest", nearest},
          {"quantiles", d.quantiles},
          {"over_position", d.over_position}};
}

std::string description_text(const KeyDescription& d) {
  const auto per_cent = [](const Estimate& e) {
    const std::string value = fmt::format("{:.3g} %", 100 * e.value);
    return e.error == 0 ? value : fmt::format("{} ± {:.2g}", value, 100 * e.error);
  };
  const auto n = static_cast<double>(d.file.n);
  const std::string about = d.distinct.error == 0 ? "" : fmt::format(" ± {:.2g}", d.distinct.error);
  std::string digits;
  for (const double bits : d.digit_entropies) digits += fmt::format("{}{:.2f}", digits.empty() ? "" : " ", bits);
  double all_bits = 0;
  for (const double bits : d.bit_entropies) all_bits += bits;
  std::string text = fmt::format("{}: {} keys of type {}, digest {}\n", printable(d.name), d.file.n,
                                 to_name(d.file.key), d.file.digest);
  text += fmt::format("  range            {} to {}\n", d.smallest, d.largest);
  text += fmt::format("  bits             {} of {} differ, with {:.1f} bits of entropy if they were independent\n",
                      d.varying_bits(), d.bit_shares.size(), all_bits);
  text += fmt::format("  8-bit digits     {} bits of entropy, highest digit first\n", digits);
  text += fmt::format("  distinct keys    {:.6g}{} ({:.3g} %)\n", d.distinct.value, about, 100 * d.distinct.value / n);
  text += fmt::format("  most frequent    {} of the keys\n", per_cent(d.most_frequent));
  text += fmt::format("  ascending runs   {}, of {:.3g} keys in the mean; {:.3g} % of neighbours are equal\n", d.runs,
                      n / static_cast<double>(d.runs), 100 * d.repeats);
  text += fmt::format("  inversions       {} of all pairs: 0 % sorted, 50 % random order, 100 % reversed\n",
                      per_cent(d.inversions));
  if (is_float(d.file.key)) {
    text += fmt::format("  floats           {} NaN, {} infinite, {} zeros\n", d.nan, d.infinite, d.zeros);
  }
  for (const Likeness& one : d.nearest) {
    text += fmt::format("  {} {:<28} distance {:.3f} (digits {:.3f}, order {:.3f}, distinct keys {:.3f})\n",
                        &one == &d.nearest.front() ? "nearest inputs  " : "                ", one.distribution,
                        one.distance, one.digits, one.order, one.equal);
  }
  return text + "  A distance of 0 means alike, 1 nothing in common.\n";
}

}  // namespace sortlab

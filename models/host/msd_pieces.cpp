#include "models/host/msd_pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/msd_radix_cpu/plan.hpp"
#include "models/host/registers.hpp"

namespace sortlab {
namespace {

constexpr double kLine = 64;           // bytes
constexpr double kNearest = 1 << 14;   // bytes that any first-level cache holds
constexpr double kBeyondCaches = 1e12;  // bytes of a working set: the profile's largest answers

class Derivation {
 public:
  /// word: bytes; values: as wide, beside words.
  Derivation(const Core& core, std::string_view target, double threads, double word, bool values)
      : core_(core),
        threads_(threads),
        word_(word),
        values_(values),
        register_(static_cast<double>(register_bytes(target))),
        masked_(target == "avx512"),
        target_(masked_ ? "AVX3" : target == "avx2" ? "AVX2" : "SSE4") {
    if (target == "portable") throw MissingQuantity("without vectors, the sort is the standard library's");
  }

  /// Checks the order of keys; those that are no words by scalar code.
  double guard(double bytes) const {
    const KeyType key = core_.workload().key;
    const bool joined = core_.workload().together && core_.workload().value != ValueType::none;
    const bool words = (key == KeyType::u32 || key == KeyType::u64) && static_cast<double>(size_of(key)) == word_;
    const double size = static_cast<double>(size_of(key)) * (joined ? 2 : 1);
    const double issue =
        words ? loop("in_order") : core_.loop("msd.keys_in_order", size, joined ? 2 : is_float(key) ? 1 : 0);
    return core_.overlapped(issue, core_.beyond("read", 1, size, bytes), 1, false);
  }

  /// A partition of `bytes` by a pivot: its choice, then the range from both ends. The loop takes whole steps; the
  /// registers held back, two steps, are put down once it is done.
  double part(double repeats, double bytes) const {
    const double n = bytes / element();
    if (repeats == 2) {  // counted, and written again
      const double counting = loop("sort_two") + core_.wide_stores(word_ / register_, register_, true);
      return core_.overlapped(counting, core_.beyond("copy", threads_, 2 * word_, bytes), threads_, false);
    }
    const int ways = repeats == 1 && !values_ ? 3 : 2;
    const double ends = 2 * step();
    const double each = std::max({loop("part", ways), compressing(), stores(2)});
    const double inside = std::max(0.0, n - ends) * each;
    const double held = loop("ends", ways) * std::min(1.0, n / ends) + ragged_ends();
    const double once = (loop("pivot") + held + unforeseen(n) * core_.miss()) / n;
    const double rounds = repeats == 1 && values_ ? 1.5 : 1;  // those equal to the pivot are parted from those below it
    return rounds *
           (once + core_.overlapped(inside / n, core_.beyond("copy", threads_, 2 * element(), bytes), threads_, false));
  }

  /// A matrix of so many elements, which its size does not foretell; half of its upper rows hold some.
  double network(double elements) const {
    const double rows = std::max(1.0, std::round(elements / lanes()));
    return (matrix(rows) + core_.miss()) / elements;
  }

  /// A bucket of n words by one more distribution: counted, scattered to runs that networks sort.
  double bucket(double n) const {
    const auto most = static_cast<double>(msd::network_rows(values_)) * lanes();
    const double runs = std::max(2.0, std::floor(n * 6 / (5 * most)));
    const double run = n / runs;
    const double arrays = values_ ? 2 : 1;
    const double counting = loop("range") + loop("digits") +
                            std::max({core_.loop("msd.count.N_" + target_, 0), core_.stores(1), chain(runs) / 2});
    const double scattering = std::max({loop("scatter"), core_.stores(arrays + 1), chain(runs)}) +
                              core_.far_line(threads_, runs * (arrays * kLine + sizeof(std::uint32_t)));
    const double moving = core_.beyond("copy", threads_, 2 * element(), n * element());
    // Sizes spread as Poisson's law has it.
    const auto above = [&](double size) { return std::erfc((size - run) / std::sqrt(2 * run)) / 2; };
    const double large = above(most);
    const double surprises = large + (1 - above(most / 2));  // another matrix than the last one
    const double large_run = most + std::sqrt(run);
    const double sorting = (1 + large) * matrix(static_cast<double>(msd::network_rows(values_))) +
                           surprises * core_.miss() + large * large_run * part(0, large_run * element());
    const double sums = 2 * core_.machine().at("prefix");  // two tables
    return core_.overlapped(counting + scattering, moving, threads_, false) + (sorting + sums) / run;
  }

  /// From memory to the blocks of its digit: digits of a tile, the append, and full buffers past the caches.
  double append(double key, double value, double digits, double lines) const {
    const double arrays = values_ ? 2 : 1;
    const double slots = lines * kLine / word_;
    const double issue = std::max({loop("append"), core_.stores(arrays + 1), chain(digits)});
    const double cursors = 2 * sizeof(std::uint32_t) + sizeof(std::uint64_t);
    const double far = arrays * core_.far_line(threads_, digits * (lines * kLine + cursors / arrays));
    const double output = static_cast<double>(core_.workload().n) * element() / threads_;
    const double first = core_.machine().at("line_out", {threads_, 1, output});
    const double rest = (lines - 1) * core_.moving("write_nt", threads_, kLine, output);
    const double flush = core_.miss() + arrays * (first + rest);
    const double entered = is_direct(key, value) ? 0 : core_.moving("copy", 1, key + value + element(), kNearest);
    return core_.overlapped(loop("digits") + entered + issue + far + flush / slots,
                            core_.beyond("read", threads_, key + value, kBeyondCaches), threads_, true);
  }

 private:
  double lanes() const { return register_ / word_; }
  double element() const { return word_ * (values_ ? 2 : 1); }
  /// Elements read before any is written: eight registers.
  double step() const { return (values_ ? 4 : 8) * lanes(); }

  /// Seconds an element, or of code passed once.
  double loop(const char* name, double third = 0) const {
    return core_.loop(fmt::format("msd.{}.N_{}", name, target_), word_, values_ && has_values(name) ? 1 : 0, third);
  }
  static bool has_values(std::string_view name) {
    return name != "in_order" && name != "digits" && name != "range" && name != "sort_two";
  }

  double chain(double digits) const { return core_.chain(std::log2(std::max(1.0, digits))); }

  /// Registers written `times` an element, from wherever the last one ended.
  double stores(double times) const { return core_.wide_stores(times * element() / register_, register_, true); }

  /// Of 32-bit words on AVX-512, which are compressed twice; all others are permuted by a row of a table.
  double compressing() const {
    return masked_ && word_ == 4 ? 2 * core_.machine().at("issue.compress", {word_}) / lanes() : 0;
  }

  /// Some elements of a register, this share of it: without masked stores they go by way of the stack, 8 bytes a store.
  double some_of_register(double share) const {
    constexpr double copied = 8;  // bytes, by GCC's own code for copies of few bytes
    return masked_ ? 0 : core_.stores(1 + share * register_ / copied) * (values_ ? 2 : 1);
  }

  /// The last whole register and the incomplete one go to both sides, which they do not fill.
  double ragged_ends() const {
    constexpr double sides = 4;
    return masked_ ? 0 : sides * (some_of_register(0.5) + core_.miss());
  }

  /// Branches of a partition of n that nobody foresees.
  double unforeseen(double n) const {
    constexpr double loops = 2;  // the ends of the loop over steps, and of that over what is left of a step
    constexpr double smaller = 0.5;  // which side is sorted first
    // From which end to read: the words that went to one end so far walk at random around half of them, by the square
    // root of a step; how often they cross half a step changes the pattern.
    const double pairs = n / (2 * step());
    const double walk = std::sqrt(step() / 4) * std::numbers::sqrt2 * std::sqrt(2 / std::numbers::pi);  // of a pair
    return loops + smaller + 0.5 + pairs * walk / (step() / 2);
  }

  /// Rows sorted and written; without masks, the number of upper rows and the length of the last are branches.
  double matrix(double rows) const {
    const double upper = std::max(1.0, rows / 2);
    const double ragged = masked_ ? 0 : upper / 2 * some_of_register(1) + 2 * core_.miss();
    return loop("network", rows) + ragged;
  }

  /// Whether keys and values are words already.
  bool is_direct(double key, double value) const {
    const KeyType type = core_.workload().key;
    if (type != KeyType::u32 && type != KeyType::u64) return false;
    return key == word_ && (value == 0 || value == word_);
  }

  const Core& core_;
  double threads_, word_;
  bool values_;
  double register_;  ///< bytes
  bool masked_;      ///< loads and stores of any number of lanes
  std::string target_;
};

}  // namespace

std::optional<double> derived_msd_piece(const Core& core, std::string_view table, std::span<const double> a) {
  if (!table.starts_with("msd.")) return std::nullopt;
  const std::string_view piece = table.substr(table.rfind('.') + 1);
  const std::string_view target = table.substr(4, table.size() - piece.size() - 5);
  if (piece == "append" || piece == "guard") {  // threads, key, value of the elements
    const auto key = static_cast<std::size_t>(a[1]);
    const auto value = static_cast<std::size_t>(a[2]);
    const Derivation of{core, target, a[0], static_cast<double>(msd::word_bytes(key, value)),
                        msd::has_values_beside(key, value)};
    return piece == "guard" ? of.guard(a[3]) : of.append(a[1], a[2], a[3], a[4]);
  }
  const Derivation of{core, target, a[0], a[1], a[2] > 0};  // threads, word, value
  if (piece == "part") return of.part(a[3], a[4]);
  if (piece == "network") return of.network(a[3]);
  if (piece == "bucket") return of.bucket(a[3]);
  return std::nullopt;
}

}  // namespace sortlab

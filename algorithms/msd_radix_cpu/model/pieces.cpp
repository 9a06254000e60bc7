#include "algorithms/msd_radix_cpu/model/pieces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "algorithms/msd_radix_cpu/model/form.hpp"
#include "models/loops/registers.hpp"

namespace sortlab {
namespace {

constexpr double kLine = 64;          // bytes
constexpr double kNearest = 1 << 14;  // bytes that any first-level cache holds
constexpr double kNear = 1 << 16;     // bytes that any second-level cache holds

class Derivation {
 public:
  /// `word`: bytes of the words at hand, fewer than the workload's if they are sorted as narrower ones; 0: as many.
  Derivation(const Core& core, std::string_view target, double threads, double word = 0)
      : core_(core),
        form_(choose_form(core.workload(), word)),
        threads_(threads),
        register_(static_cast<double>(register_bytes(target, 8))),
        masked_(target == "avx512"),
        target_(target_name(target)) {
    if (!has_vectors(target)) throw MissingQuantity("without vectors, the sort is the standard library's");
  }

  /// Checks the order of keys. Nothing but loads: they take the time of a stream as a whole, where the keys come from
  /// beyond the first-level cache.
  double guard(double bytes) const {
    const double issue = core_.loop("msd.in_order.N_" + target_, form_.key, form_.kind, form_.is_pair ? 1 : 0);
    const bool near = bytes <= core_.machine().cache("L1d");
    return core_.overlapped(issue, near ? 0 : core_.moving("read_ahead", 1, form_.key, bytes), 1, false);
  }

  /// A partition of `bytes` by a pivot: its choice, then the range from both ends. The loop takes whole steps; the
  /// registers held back, two steps, are put down once it is done.
  double part(double repeats, double bytes) const {
    const double n = bytes / form_.element;
    const double moved = core_.beyond("rewrite", threads_, form_.element, bytes);
    if (repeats == 2) {  // counted, and written again
      const double counting = loop("sort_two") + core_.wide_stores(form_.word / register_, register_, true);
      return core_.overlapped(counting, moved, threads_, false);
    }
    const int ways = repeats == 1 && !form_.beside ? 3 : 2;
    const double held = 2 * step();
    const double each = std::max({loop("part", ways), compressing(), stores(2)});
    const double inside = std::max(0.0, 1 - held / n);
    const double once = loop("pivot") + loop("ends", ways) * std::min(1.0, n / held) + ragged_ends() +
                        unforeseen(n) * core_.miss() + stored_narrow();
    // A second pass separates pairs equal to the pivot from those below it.
    const double rounds = repeats == 1 && form_.beside ? 1.5 : 1;
    return rounds * (once / n + core_.overlapped(inside * each, moved, threads_, false));
  }

  /// Sorts a matrix of that many elements. Their number is known too late to predict the branch to it.
  double network(double elements) const {
    return (matrix(std::max(1.0, std::round(elements / lanes()))) + core_.miss()) / elements;
  }

  /// A bucket of n words by one more distribution: counted, scattered to runs that networks sort.
  double bucket(double n) const {
    const auto rows = static_cast<double>(msd::network_rows(form_.beside));
    const double most = rows * lanes();
    const double runs = std::max(2.0, std::floor(n * 6 / (5 * most)));
    const double run = n / runs;
    const double arrays = form_.beside ? 2 : 1;
    const double counting = loop("range") + loop("digits") +
                            std::max({core_.loop("msd.count.N_" + target_, 0), core_.stores(1), chain(runs)});
    const double scattering = std::max({loop("scatter"), core_.stores(arrays + 1), chain(runs)}) +
                              core_.far_line(threads_, runs * (arrays * kLine + sizeof(std::uint32_t)));
    const double moving = core_.beyond("copy", threads_, 2 * form_.element, n * form_.element);
    // Sizes of runs spread as Poisson's law has it.
    const auto above = [&](double size) { return std::erfc((size - run) / std::sqrt(2 * run)) / 2; };
    const double large = above(most);
    const double surprises = large + (1 - above(most / 2));  // another matrix than that of most runs
    const double large_run = most + std::sqrt(run);
    const double sorting =
        (1 + large) * matrix(rows) + surprises * core_.miss() + large * large_run * part(0, large_run * form_.element);
    const double sums = core_.machine().at("prefix");
    return core_.overlapped(counting + scattering, moving, threads_, false) + (sorting + sums) / run;
  }

  /// Cost of moving an element from memory to the block of its digit, through the buffers of a tile.
  double append(double digits, double lines) const {
    const double arrays = form_.beside ? 2 : 1;
    const double slots = lines * kLine / form_.word;
    const double issue = std::max({loop("append"), core_.stores(arrays + 1), chain(digits)});
    const double cursors = 2 * sizeof(std::uint32_t) + sizeof(std::uint64_t);
    const double far = arrays * core_.far_line(threads_, digits * (lines * kLine + cursors / arrays));
    const double output = static_cast<double>(core_.workload().n) * form_.element / threads_;
    const double first = core_.machine().at("line_out", {threads_, 1, output});
    const double rest = (lines - 1) * core_.moving("write_nt", threads_, kLine, output);
    const double flush = core_.miss() + arrays * (first + rest);
    const double given = form_.key + form_.value;
    const double entered = form_.direct ? 0 : core_.moving("copy", 1, given + form_.element, kNearest);
    return core_.overlapped(
        loop("digits") + entered + issue + far + flush / slots,
        core_.beyond("read_ahead", threads_, given, static_cast<double>(core_.workload().n) * given), threads_, true);
  }

  /// Another block for a digit.
  double lengthen() const { return core_.loop("msd.lengthen", form_.word, form_.beside ? 1 : 0); }

  /// Seconds of a bucket's block: taking its range, and copying it to the bucket's cache.
  double block() const {
    const double elements = msd::make_plan(core_.workload(), form_).block_elements;
    return loop("range_end") + elements * (loop("range") + core_.moving("copy", 1, 2 * form_.element, kNearest));
  }

  /// The sampled digits are sorted by introsort: of its comparisons on the way to ranges of one digit, or of 16, half
  /// are unpredictable.
  double sample(double digits) const {
    constexpr double sampled = msd::kTile;
    constexpr double insertion = 16;  // elements, in libstdc++
    const double levels = std::min(std::log2(digits), std::log2(sampled / insertion));
    const double bytes = static_cast<double>(core_.workload().n) * (form_.key + form_.value);
    return sampled * (levels / 2 * core_.miss() + core_.far_line(threads_, bytes));
  }

 private:
  static msd::ModelledForm choose_form(const Workload& workload, double word) {
    const msd::ModelledForm form{workload};
    return word > 0 && word < form.word ? form.narrowed() : form;
  }

  double lanes() const { return register_ / form_.word; }
  /// Elements read before any is written: eight registers.
  double step() const { return (form_.beside ? 4 : 8) * lanes(); }

  /// Seconds an element, or of code passed once.
  double loop(std::string_view name, double third = 0) const {
    const bool words = name == "digits" || name.starts_with("range") || name == "sort_two";
    return core_.loop(fmt::format("msd.{}.N_{}", name, target_), form_.word, form_.beside && !words ? 1 : 0, third);
  }

  double chain(double digits) const { return core_.chain(std::log2(std::max(1.0, digits))); }

  /// Registers written `times` an element, from wherever the last one ended.
  double stores(double times) const { return core_.wide_stores(times * form_.element / register_, register_, true); }

  /// Time of compressing a register: 32-bit words on AVX-512 are compressed twice; all others are permuted by a table.
  double compressing() const {
    return masked_ && form_.word == 4 ? 2 * core_.machine().at("issue.compress", {form_.word}) / lanes() : 0;
  }

  /// Some elements of a register, this share of it: without masked stores they go by way of the stack, 8 bytes a store.
  double some_of_register(double share) const {
    constexpr double copied = 8;  // bytes, by GCC's own code for copies of few bytes
    return masked_ ? 0 : core_.stores(1 + share * register_ / copied) * (form_.beside ? 2 : 1);
  }

  /// The last whole register and the incomplete one go to both sides, which they do not fill.
  double ragged_ends() const {
    constexpr double sides = 4;
    return masked_ ? 0 : sides * (some_of_register(0.5) + core_.miss());
  }

  /// The border of the two parts has just been written by parts of registers; the part sorted next begins or ends with
  /// it, and reads whole ones.
  double stored_narrow() const { return core_.machine().at("line_out", {threads_, 0, kNear}); }

  /// Number of unpredictable branches in a partition of n elements.
  double unforeseen(double n) const {
    constexpr double loops = 2;      // the ends of the loop over steps, and of that over what is left of a step
    constexpr double smaller = 0.5;  // misprediction of the side that is sorted first
    // The end to read from: the words that went to one end so far walk at random around half of them, by the square
    // root of a step; how often they cross half a step changes the pattern.
    const double pairs = n / (2 * step());
    const double walk =
        std::sqrt(step() / 4) * std::numbers::sqrt2 * std::sqrt(2 / std::numbers::pi);  // steps of a pair
    return loops + smaller + 0.5 + pairs * walk / (step() / 2);
  }

  /// Rows sorted and written. Without masks the number of upper rows and the length of the last are branches; half of
  /// these rows hold some.
  double matrix(double rows) const {
    const double upper = std::max(1.0, rows / 2);
    const double ragged = masked_ ? 0 : upper / 2 * some_of_register(1) + 2 * core_.miss();
    return loop("network", rows) + ragged;
  }

  const Core& core_;
  msd::ModelledForm form_;
  double threads_;
  double register_;  ///< bytes
  bool masked_;      ///< loads and stores of any number of lanes
  std::string target_;
};

/// Merges two runs of `bytes` of keys. No branch depends on them. Floats become words, and floats again, in cache.
double merged(const Core& core, double bytes) {
  const msd::ModelledForm form{core.workload()};
  const double elements = bytes / form.key;
  const double copied = 2 * (form.key + form.value);
  const double converted = form.kind == 2 ? 2 * core.moving("copy", 1, 2 * form.key, kNearest) : 0;
  return core.overlapped(core.loop("msd.merge", form.key, form.value, form.is_pair ? 1 : 0) + converted,
                         core.beyond("copy", 1, copied, elements * copied), 1, false);
}

}  // namespace

std::optional<double> derived_msd_piece(const Core& core, std::string_view table, std::span<const double> a) {
  if (!table.starts_with("msd.")) return std::nullopt;
  if (table == "msd.merge") return merged(core, a[2]);
  const std::string_view piece = table.substr(table.rfind('.') + 1);
  const std::string_view target = table.substr(4, table.size() - piece.size() - 5);
  if (piece == "check") return Derivation{core, target, 1}.guard(a[2]);
  const Core each = core.by_pieces();
  const double threads = a.empty() ? 1 : a[0];
  const Derivation of{each, target, threads};
  if (piece == "append") return of.append(a[3], a[4]);
  if (piece == "guard") return of.guard(a[3]);
  if (piece == "part") return Derivation{each, target, threads, a[1]}.part(a[3], a[4]);
  if (piece == "network") return Derivation{each, target, threads, a[1]}.network(a[3]);
  if (piece == "bucket") return of.bucket(a[3]);
  if (piece == "lengthen") return of.lengthen();
  if (piece == "block") return of.block();
  if (piece == "sample") return of.sample(a[1]);
  return std::nullopt;
}

}  // namespace sortlab

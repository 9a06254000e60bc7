// Family H for the plug-in satish_cpu_radix: LSD radix sort through write-combining buffers.
//
// Counting reads the keys once and is bound by counters or by the stream, which overlap. A team counts the digit of the
// next pass while it appends (micro-benchmark `append.count`), if its tables stay cached. A scatter appends each
// element to the buffer of its digit (issue, mispredicted flushes, stores that wait for a repeated digit's last store:
// micro-benchmark `append`) and writes full buffers out as whole lines (`scatter` beyond `append`; with ordinary
// stores, as in the paper, `scatter.ordinary`, which waits for remote lines). What does not fill a buffer, at both ends
// of each digit's output, is copied piecewise, and counters and buffers were last used a sort ago and have been evicted
// (`touch`): these two terms dominate for small inputs and wide digits.
//
// Everything comes from the profile of calibration; no time of a sort enters.
#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "algorithms/satish_cpu_radix/plan.hpp"
#include "core/stream_lines.hpp"
#include "models/cost.hpp"
#include "models/loops/cpu_model.hpp"

namespace sortlab {
namespace {

constexpr double kLine = kLineBytes;
constexpr double kByte = 8;           // bits
constexpr double kNearest = 1 << 14;  // bytes of a working set in the first-level cache

struct Radix {
  double n, threads, key, value;  ///< elements; bytes of a key, a value
  bool floats;
  int digit_bits;
  LsdDigits digits;
  int passes;
  double lines;  ///< lines of a buffer
  bool nontemporal, skip;
  bool small_pages;  ///< the sort's own memory lies in pages of 4 KiB

  explicit Radix(const Workload& workload)
      : n(static_cast<double>(workload.n)),
        threads(workload.threads),
        key(byte_size(workload.key)),
        value(byte_size(workload.value)),
        floats(is_float(workload.key)),
        digit_bits(static_cast<int>(workload.parameters.integer("digit_bits"))),
        digits(satish::lsd_digits(byte_size(workload.key), digit_bits)),
        passes(digits.passes()),
        lines(std::exp2(workload.parameters.real("buffer_lines_log2"))),
        nontemporal(workload.parameters.word("flush") == "nontemporal"),
        skip(workload.parameters.word("skip_constant_digits") == "yes"),
        small_pages(workload.parameters.word("pages") == "4k") {}

  double per_thread() const { return n / threads; }
  /// True if each pass counts the digit of the next.
  bool counts_ahead() const {
    return satish::counts_ahead(static_cast<std::uint64_t>(n), static_cast<int>(threads), std::size_t{1} << bits(0));
  }
  int shift(int pass) const { return digits.shift(pass); }
  int bits(int pass) const { return digits.bits(pass); }
  /// Elements of a full buffer.
  double slots() const {
    return lines * static_cast<double>(satish::line_elements(kLineBytes, static_cast<std::size_t>(key),
                                                             static_cast<std::size_t>(value)));
  }
  double width() const { return key + value; }
};

/// Statistics of a pass's digits.
struct Digits {
  std::vector<double> shares;
  double collision_bits = 0;  ///< -log2 of the probability that neighbours have equal digits
  bool constant = false;
};

Digits pass_digits(const DistributionView& view, const Radix& radix, int pass) {
  Digits digits{.shares = view.digit_shares(radix.shift(pass), radix.bits(pass))};
  digits.constant = std::ranges::max(digits.shares) >= 1;
  // The first pass reads the input's own order; later ones read neighbours brought together by other digits.
  double equal = 0;
  if (pass == 0) {
    equal = view.repeated_digits(radix.shift(pass), radix.bits(pass));
  } else {
    for (const double share : digits.shares) equal += share * share;
  }
  digits.collision_bits = std::clamp(-std::log2(std::max(equal, 1e-9)), 0.0, static_cast<double>(radix.bits(pass)));
  return digits;
}

/// Fetching `bytes` of a thread's counters or buffers, evicted from the nearer caches by all that was read or written
/// since the last sort: the input and its copy, the output, the scratch.
double fetching(const Radix& radix, double bytes, const Pieces& machine) {
  const double since = 4 * radix.n * radix.width();
  return bytes / kLine * machine.at("touch", {radix.threads, std::min(kBeyondCaches, since)});
}

/// Counts `digits`, up to four tables a sweep. `cached`: the keys lie where the working set fits; else in memory.
PhasePrediction histogram(const Radix& radix, int pass, const std::vector<Digits>& all, std::size_t first,
                          std::size_t count, bool cached, bool mapped, const Pieces& machine) {
  const double elements = radix.per_thread();
  double alike = 0;     // seconds per element, with this pass's runs of equal digits
  double distinct = 0;  // with hardly any: the core's work without stalls on the last store to a counter
  for (std::size_t table = first; table < first + count; table += satish::kTablesASweep) {
    const std::size_t tables = std::min(satish::kTablesASweep, first + count - table);
    double bits = 0;
    for (std::size_t t = 0; t < tables; ++t) bits += all[table + t].collision_bits / static_cast<double>(tables);
    const auto seconds = [&](double b) { return machine.at("count", {radix.key, static_cast<double>(tables), b}); };
    alike += seconds(bits);
    distinct += std::min(seconds(bits), seconds(radix.digit_bits));
  }
  const double counters = static_cast<double>(count) * std::exp2(radix.digit_bits);
  double fixed = counters * machine.at("prefix") + (mapped ? elements * machine.at("map", {radix.key}) : 0);
  if (pass == 0) fixed += fetching(radix, counters * static_cast<double>(satish::kCounterBytes), machine);
  const double bytes = elements * radix.key;
  const double working_set = cached ? elements * radix.width() : kBeyondCaches;
  const double read = bytes * radix.threads / machine.at("read", {radix.threads, working_set});
  PhasePrediction prediction =
      phase("histogram", pass,
            {{"issue", "counters", radix.n * static_cast<double>(count), elements * distinct + fixed},
             {"memory", "bytes.read", bytes * radix.threads, read}},
            machine.at("overlap.read", {radix.threads, radix.key}));
  // A core stalled on a store leaves memory free: stalls and reads overlap fully.
  if (const double waiting = elements * alike + fixed; waiting > prediction.seconds) {
    prediction.seconds = waiting;
    if (alike > distinct) prediction.binding = "repeated digits";
  }
  return prediction;
}

/// Adds up what all threads have counted ahead of this pass.
PhasePrediction add_counts(const Radix& radix, int pass, const Pieces& machine) {
  const double counters = radix.threads * std::exp2(radix.bits(pass));
  return phase("histogram", pass,
               {{"issue", "counters.added", radix.threads * counters, counters * machine.at("prefix")}}, 1);
}

/// Use of the buffers in a pass, for one thread.
struct Filling {
  double full = 0;   ///< share of the elements that leave in full buffers
  double parts = 0;  ///< pieces of buffers copied at the ends of digits
  double bytes = 0;  ///< bytes of the buffers that are used
};

Filling filling(const Radix& radix, const Digits& digits) {
  const double slots = radix.slots();
  Filling filling;
  for (const double share : digits.shares) {
    const double count = share * radix.per_thread();
    if (count <= 0) continue;
    // A digit's output begins at any slot of a buffer: of `count` places, count - slots + 1 may begin a full one.
    filling.full += std::max(0.0, count - slots + 1) / std::max(1.0, radix.per_thread());
    filling.parts += std::min(1.0, count) + std::min(1.0, std::max(0.0, count - 1) / slots);
    filling.bytes += std::min({count * kLine, (count + 1) * radix.width(), slots * radix.width()});
  }
  return filling;
}

/// Seconds per element for which the first level of translations has no entry, since the sort's own memory lies in
/// pages of 4 KiB: of the buffers, of every other pass's output, and of the other passes' input. Pieces are measured in
/// huge pages.
double translating(const Radix& radix, int executed, const Digits& digits, const Filling& filled,
                   const Pieces& machine) {
  if (!radix.small_pages) return 0;
  constexpr double page = 4096;
  const auto walk = [&](double bytes) {
    return std::max(0.0, machine.at("latency_small_pages", {bytes}) - machine.at("latency", {bytes}));
  };
  const double arrays = radix.value > 0 ? 2 : 1;
  const double outputs = std::exp2(digits.collision_bits) * arrays;  // pages that are written to in turn
  const double streamed = executed % 2 == 0 ? arrays * filled.full / radix.slots() * walk(outputs * page)
                                            : radix.width() / page * walk(radix.n * radix.width());
  return streamed + arrays * walk(filled.bytes);
}

/// executed: passes that the sort has executed before. next: the digits that are counted meanwhile, or null.
PhasePrediction scatter(const Radix& radix, int pass, int executed, const Digits& digits, const Digits* next, int maps,
                        const Pieces& machine) {
  const double elements = radix.per_thread();
  const double width = radix.bits(pass);
  const double append = machine.at("append", {radix.key, radix.value, radix.lines, width, digits.collision_bits}) +
                        (maps > 0 ? maps * machine.at("map", {radix.key}) : 0);
  const Filling filled = filling(radix, digits);
  const double output = std::min(kBeyondCaches, radix.n * radix.width());
  const double radixes = std::exp2(radix.bits(pass));
  const auto part = [&](double bytes) { return machine.at("part", {radix.slots() * bytes / kLine, output}); };
  double ends =
      filled.parts * (part(radix.key) + (radix.value > 0 ? part(radix.value) : 0)) + radixes * machine.at("prefix");
  if (executed == 0)
    ends += fetching(radix, filled.bytes + radixes * static_cast<double>(satish::kCursorBytes), machine);

  PhasePrediction prediction{.name = "scatter", .pass = pass};
  const double bytes = 2 * radix.n * radix.width();
  prediction.work = {{"elements", radix.n},
                     {"bytes.memory", bytes},
                     {"buffers.full", radix.n * filled.full / radix.slots()},
                     {"buffers.parts", filled.parts * radix.threads}};
  if (std::exp2(radix.digit_bits) * (radix.value > 0 ? 2 : 1) > static_cast<double>(satish::kNearLines)) {
    prediction.work["slots.fetched"] = radix.n;
  }
  double issue = elements * append;
  if (next != nullptr) {
    // Neighbours hit the same counter if they go to one share and have equal digits there.
    const double same_share = std::min(std::log2(radix.threads), digits.collision_bits);
    const double bits = same_share + next->collision_bits;
    issue += elements * std::max(0.0, machine.at("append.count", {radix.threads, radix.key, radix.lines, bits}));
    prediction.work["digits.counted"] = radix.n;
  }
  const double pages = elements * translating(radix, executed, digits, filled, machine);
  const double overlap = machine.at("overlap.read", {radix.threads, radix.key});
  double lines = 0;
  double memory = 0;
  if (radix.nontemporal) {
    const double scattered =
        machine.at("scatter", {radix.threads, radix.key, radix.value, radix.lines, width, digits.collision_bits});
    lines = elements * filled.full * std::max(0.0, scattered - append);
    memory = bytes / machine.at("copy_nt", {radix.threads, kBeyondCaches});
    prediction.seconds = overlapped(std::vector{issue + lines, pages}, overlap) + ends;
  } else {
    // A full buffer is read while stores to it queue behind earlier ones, which wait for remote lines of the output.
    // Buffers of several lines are flushed proportionally less often.
    const double working_set = std::min(kBeyondCaches, 2 * elements * radix.width());
    // A line is written again after as many bytes as by the probe, which reads and writes keys, and values to as much.
    const double area = std::min(kBeyondCaches, elements * radix.width() / (radix.value > 0 ? 2 : 1));
    const bool skewed = digits.collision_bits < kByte - 1;
    const double bits = skewed ? digits.collision_bits : kByte;
    const double ordinary = skewed ? machine.at("scatter.skewed", {radix.threads, radix.key, radix.value, area, bits})
                                   : machine.at("scatter.ordinary", {radix.threads, radix.key, radix.value, area});
    const double near = machine.at("append", {radix.key, radix.value, 1, kByte, bits});
    lines = elements * filled.full / radix.lines * std::max(0.0, ordinary - near);
    memory = bytes / machine.at("copy", {radix.threads, working_set});
    prediction.seconds = overlapped(std::vector{issue + lines, memory, pages}, overlap) + ends;
  }
  // Memory binds near its roof; otherwise the core does: appending, writing lines out, or the ends.
  if (memory >= 0.8 * prediction.seconds) {
    prediction.binding = "memory";
  } else {
    prediction.binding = issue >= std::max(lines, ends) ? "issue" : lines >= ends ? "write-out" : "ends of digits";
  }
  return prediction;
}

class LsdRadix {
 public:
  LsdRadix(const Workload& workload, const DistributionView& view, const Pieces& machine)
      : workload_(workload), view_(view), machine_(machine) {}

  Prediction predict() const {
    const Workload& workload = workload_;
    const DistributionView& view = view_;
    const Pieces& machine = machine_;
    const Radix radix{workload};
    std::vector<Digits> digits;
    for (int pass = 0; pass < radix.passes; ++pass) digits.push_back(pass_digits(view, radix, pass));
    const bool alone = workload.threads == 1;

    std::vector<PhasePrediction> phases;
    const auto count = static_cast<std::size_t>(radix.passes);
    if (alone) phases.push_back(histogram(radix, 0, digits, 0, count, true, radix.floats, machine));
    int executed = 0;
    bool counted = false;  // the digit of the pass, by the one before
    for (int pass = 0; pass < radix.passes; ++pass) {
      const Digits& here = digits[static_cast<std::size_t>(pass)];
      if (!alone) {
        phases.push_back(counted
                             ? add_counts(radix, pass, machine)
                             : histogram(radix, pass, digits, static_cast<std::size_t>(pass), 1,
                                         executed == 0 || !radix.nontemporal, radix.floats && executed == 0, machine));
        counted = false;
      }
      // Floats are ordered words between the first executed pass and the last pass, which maps them back.
      const bool last = pass + 1 == radix.passes;
      const bool must_map_back = radix.floats && last && executed > 0;
      if (here.constant && radix.skip && !must_map_back) continue;
      const int maps = radix.floats ? (executed == 0 ? 1 : 0) + (last ? 1 : 0) : 0;
      counted = !last && radix.counts_ahead();
      const Digits* const next = counted ? &digits[static_cast<std::size_t>(pass) + 1] : nullptr;
      phases.push_back(scatter(radix, pass, executed, here, next, maps, machine));
      ++executed;
    }

    double sums = 0;  // the last digit may be narrower
    for (int pass = 0; pass < radix.passes; ++pass) sums += std::exp2(radix.digits.bits(pass)) * radix.threads;
    const double synchronising =
        alone ? 0 : machine.at("wake", {radix.threads}) + 2 * radix.passes * machine.at("barrier", {radix.threads});
    phases.push_back({.name = "offsets",
                      .pass = 0,
                      .seconds = sums * machine.at("prefix") + synchronising,
                      .binding = alone ? "issue" : "barrier",
                      .work = {{"counters", sums}, {"barriers", alone ? 0.0 : 2.0 * radix.passes}}});
    return sequence(std::move(phases));
  }

 private:
  const Workload& workload_;
  const DistributionView& view_;
  const Pieces& machine_;
};

/// The cost of the sort's pieces, from its compiled loops and the machine.
std::optional<double> derived(const Core& core, std::string_view table, std::span<const double> a) {
  const auto buffer_slots = [](double key, double value, double lines) {
    return lines * kLine / (value > 0 ? std::min(key, value) : key);
  };
  if (table == "overlap.read") return core.machine().at("overlap.core", {a[0], 0});
  if (table == "count") {  // key, tables, collision_bits; even keys and odd ones have counters of their own
    return std::max({core.loop("satish.count", a[0], a[1]), core.stores(a[1]), core.chain(a[2]) / 2});
  }
  if (table == "append") {  // key, value, lines, digit_bits, collision_bits
    const auto [key, value, lines, bits, collision] = std::tuple{a[0], a[1], a[2], a[3], a[4]};
    const double arrays = value > 0 ? 2 : 1;
    const bool far = std::exp2(bits) * arrays > static_cast<double>(satish::kNearLines);
    const double issue = std::max({core.loop(far ? "satish.append_far" : "satish.append", key, value),
                                   core.stores(arrays + 1), core.chain(collision)});
    // A full buffer is predicted only where all elements go to one. It is read again and written out from cache.
    const double slots = buffer_slots(key, value, lines);
    const double flush =
        std::min(1.0, collision) * core.miss() / slots + core.moving("copy", 1, 2 * (key + value), kNearest);
    // Lines beyond the first-level cache come from the next one; fewer where digits are skewed.
    const double used = std::exp2(std::min(bits, collision));
    return issue + flush + arrays * core.far_line(1, used * (slots * (key + value) / arrays + satish::kCursorBytes));
  }
  if (table == "append.count") {  // threads, key, lines, collision_bits
    const double alone = core.loop("satish.append", a[1], 0, 0);
    return std::max(core.loop("satish.append", a[1], 0, 1), core.chain(a[3])) - alone;
  }
  // A full buffer is written out line by line. The first line waits for the store just made to it; the rest stream;
  // reading input overlaps.
  const auto written = [&](double near, double threads, double key, double value, double lines, bool streams) {
    const double width = key + value;
    const double output = static_cast<double>(core.workload().n) * width / threads;
    const double first = core.machine().at("line_out", {threads, streams ? 1.0 : 0.0, output});
    const double slots = buffer_slots(key, value, lines);
    const double others = std::max(0.0, slots * width / kLine - (value > 0 ? 2 : 1));
    const double rest = others * core.moving(streams ? "write_nt" : "write", threads, kLine, output);
    return core.overlapped(near + ((value > 0 ? 2 : 1) * first + rest) / slots,
                           core.beyond("read_ahead", threads, width, output), threads, false);
  };
  if (table == "scatter") {  // threads, key, value, lines, digit_bits, collision_bits
    return written(*derived(core, "append", a.subspan(1)), a[0], a[1], a[2], a[3], true);
  }
  if (table == "scatter.ordinary") {  // threads, key, value, bytes: buffers of one line, digits of 8 bits
    return written(*derived(core, "append", std::array{a[1], a[2], 1.0, kByte, kByte}), a[0], a[1], a[2], 1, false);
  }
  if (table == "scatter.skewed") {  // and collision_bits
    return written(*derived(core, "append", std::array{a[1], a[2], 1.0, kByte, a[4]}), a[0], a[1], a[2], 1, false);
  }
  return std::nullopt;
}

const RegisterCpuModels<LsdRadix> registered{
    "satish_cpu_radix", "LSD radix sort through write-combining buffers, phase by phase",
    "this project, after Satish et al. 2010 and Wassenberg & Sanders 2011", "H, buffers on a CPU", derived};

}  // namespace
}  // namespace sortlab

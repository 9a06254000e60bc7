#include "models/kernels/device_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/cost.hpp"
#include "models/kernels/operation_counts.hpp"

namespace sortlab {
namespace {

/// Latency in cycles of a dependent arithmetic instruction of a warp, on compute capabilities from 7.0 on (Jia,
/// Maggioni, Staiger and Scarpazza, arXiv:1804.06826, section 4.1). A block alone issues no faster.
constexpr double kDependentIssue = 4;

/// MB7's wide null kernel: blocks per multiprocessor, and resident blocks.
constexpr double kWideBlocks = 10;
constexpr double kWideResident = 8;

/// The library's scan, as compiled for 9.0: counters per block, resident blocks per multiprocessor, and instructions
/// per warp (from `sortlab count`: grids, registers, threads, instructions).
constexpr double kScanTile = 2688;
constexpr double kScanResident = 5;
constexpr double kScanInstructions = 300;  ///< instructions of a warp

/// Searches in memory: of a block (both sorts launch 256 threads), and instructions of a round, as counted
/// (28 to 31 for levels that differ by four rounds).
constexpr double kSearchThreads = 256;
constexpr double kSearchInstructions = 28;
constexpr double kWarp = 32;
constexpr double kSector = 32;       ///< the smallest fetch of the first-level cache, bytes
constexpr double kMemoryBurst = 64;  ///< the smallest transfer from memory, bytes

/// Seconds that memory, or the cache where it fits, is busy.
struct MemorySeconds {
  double reading = 0;
  double writing = 0;
};

/// Bytes both read and written move at the rate of a copy, the rest at that of reading or writing alone.
MemorySeconds memory_seconds(const Traffic& traffic, const MachineProfile& device) {
  const auto rate = [&](const char* table) { return device.at(table, {traffic.access, traffic.working_set}); };
  const double both = std::min(traffic.read, traffic.written);
  MemorySeconds seconds;
  if (both > 0) seconds = {both / rate("copy"), both / rate("copy")};
  if (traffic.read > both) seconds.reading += (traffic.read - both) / rate("read");
  if (traffic.written > both) seconds.writing += (traffic.written - both) / rate("write");
  if (traffic.runs > 1) {
    // Measured for a partition of an array beyond the caches; the relative cost of short runs holds for smaller arrays,
    // too.
    const double in_order = 1 / device.at("copy", {traffic.access, kBeyondCaches});
    const double in_runs = 1 / device.at("scatter", {traffic.access, traffic.runs, traffic.run_bytes});
    seconds.writing *= std::max(1.0, (2 * in_runs - in_order) / in_order);  // a copy's reading is half of its time
  }
  return seconds;
}

/// Tiles per second of a multiprocessor with `blocks` blocks at work: the share of time that writes keep memory busy
/// depends on the result itself.
double tiles_a_second(int blocks, const std::vector<double>& tile, const MemorySeconds& memory, double delay) {
  double rate = 0;
  std::vector<double> stations = tile;
  stations.push_back(0);
  for (int round = 0; round < 60; ++round) {
    const double busy = std::min(0.99, rate * memory.writing);
    stations.back() = memory.reading / (1 - busy);
    const double next = throughput(blocks, stations, delay);
    rate = round == 0 ? next : (rate + next) / 2;
  }
  return std::min(rate, 1 / std::max(1e-30, memory.reading + memory.writing));
}

/// Demand of each tile of a multiprocessor: the multiprocessor, its port to the cache, and the shared memory system.
struct TileDemand {
  std::vector<double> tile;  ///< seconds of the multiprocessor, or of its pipes and its shared memory
  double way = 0;            ///< time of its port to the cache
  MemorySeconds memory;
  double delay = 0;
};

/// The same where memory is one queue of all multiprocessors: while its neighbours compute, one gets more than an even
/// share, up to the rate of its own port (approximate mean value analysis; Schweitzer 1979).
double tiles_a_second(int blocks, const TileDemand& demand, double multiprocessors) {
  const double others = (blocks - 1.0) / blocks,
               all_others = (blocks * multiprocessors - 1) / (blocks * multiprocessors);
  std::vector<double> at_work(demand.tile.size());
  double on_way = 0, in_memory = 0, rate = 0;  // blocks of one multiprocessor
  for (int round = 0; round < 400; ++round) {
    const double free = 1 - std::min(0.99, rate * demand.memory.writing);
    double work = 0;
    for (std::size_t i = 0; i < at_work.size(); ++i) work += demand.tile[i] * (1 + others * at_work[i]);
    const double way = demand.way * (1 + others * on_way);
    const double memory = demand.memory.reading / free * (1 / multiprocessors + all_others * in_memory);
    const double next = blocks / (work + way + memory + demand.delay);
    rate = round == 0 ? next : (rate + next) / 2;
    for (double& at_one : at_work) {
      const double service = demand.tile[static_cast<std::size_t>(&at_one - at_work.data())];
      at_one = rate * service * (1 + others * at_one);
    }
    on_way = rate * way;
    in_memory = rate * memory;
  }
  return std::min(rate, 1 / std::max(1e-30, demand.memory.reading + demand.memory.writing));
}

}  // namespace

DeviceCosts::DeviceCosts(const MachineProfile& device, Level level, std::string algorithm, std::string variant,
                         ElementBytes bytes)
    : device_(device), level_(level), algorithm_(std::move(algorithm)), variant_(std::move(variant)), bytes_(bytes) {}

TileWork DeviceCosts::tile(const std::string& phase, const std::string& table, std::vector<double> arguments,
                           std::optional<double> last, double alone_last) const {
  TileWork work{.resident = resident_blocks(algorithm_, variant_, phase, bytes_.key, bytes_.value)};
  const std::optional<OperationCounts> counted =
      operation_counts(algorithm_, variant_, phase, bytes_.key, bytes_.value);
  if (counted) {
    work.issue = std::max(counted->instructions / device_.at("issue.ffma"), counted->alu / device_.at("issue.lop3"));
    work.shared = counted->wavefronts * device_.at("shared_load", {1});
    work.instructions = counted->instructions;
  }
  if (level_ == Level::operations) {
    if (!counted) {
      throw MissingQuantity(
          fmt::format("no operations were counted for {} {}, phase '{}', {}-byte keys, {}-byte values", algorithm_,
                      variant_, phase, bytes_.key, bytes_.value));
    }
    work.cycles = overlapped(std::vector{work.issue, work.shared}, device_.at("overlap.copy_shared"));
    work.chain = kDependentIssue * counted->instructions / counted->warps;
    return work;
  }
  work.alone = device_.at("alone." + table, arguments);
  const double faster = faster_pipes(phase, counted ? &*counted : nullptr);
  if (last) arguments.push_back(*last);
  work.cycles = device_.at("tile." + table, arguments);
  if (last) {
    // A block with less work than the one measured alone takes proportionally less.
    arguments.back() = alone_last;
    work.alone *= work.cycles / device_.at("tile." + table, arguments);
  }
  if (counted && faster != 1) {
    // The share of a tile's cycles in which pipes are busy scales with the pipes; other stalls stay.
    const double busy = overlapped(std::vector{work.issue, work.shared}, device_.at("overlap.copy_shared")) * faster;
    const double share = std::min(1.0, busy / work.cycles);
    work.cycles *= 1 - share + share / faster;
  }
  return work;
}

double DeviceCosts::faster_pipes(const std::string& phase, const OperationCounts* counted) const {
  const double issue = device_.factor("issue"), integer = device_.factor("integer"), shared = device_.factor("shared");
  if (issue == 1 && integer == 1 && shared == 1) return 1;
  if (counted == nullptr) {
    throw MissingQuantity(fmt::format(
        "no operations were counted of {} {}, phase '{}', {}-byte keys, {}-byte values, so that other rates of issue, "
        "integer or shared cannot be told",
        algorithm_, variant_, phase, bytes_.key, bytes_.value));
  }
  const double exponent = device_.at("overlap.copy_shared");
  const double all = counted->instructions / device_.at("issue.ffma"), alu = counted->alu / device_.at("issue.lop3");
  const double wavefronts = counted->wavefronts * device_.at("shared_load", {1});
  return overlapped(std::vector{std::max(all * issue, alu * integer), wavefronts * shared}, exponent) /
         overlapped(std::vector{std::max(all, alu), wavefronts}, exponent);
}

double DeviceCosts::derived_alone(const KernelWork& work, double elements) const {
  const double access = device_.at("latency", {device_.cache("shared") / 16});
  return (elements * work.tile.chain - work.chained * kDependentIssue) / device_.clock_hz + work.chained * access;
}

PhasePrediction DeviceCosts::kernel(const KernelWork& work) const {
  const double multiprocessors = device_.cores;
  const double share = std::max(1.0, std::ceil(work.tiles / multiprocessors));  // whole tiles of a multiprocessor
  const double of_a_tile = work.elements / std::max(1.0, work.tiles);
  const double tile = of_a_tile * work.tile.cycles / device_.clock_hz;
  const double alone = level_ == Level::operations ? derived_alone(work, of_a_tile) : work.tile.alone;
  const MemorySeconds all = memory_seconds(work.traffic, device_);
  const double of_tile = multiprocessors / std::max(1.0, work.tiles);
  const MemorySeconds memory{all.reading * of_tile, all.writing * of_tile};
  const double wide = std::max(0.0, device_.at("launch_wide") - device_.at("launch"));
  const double turn = level_ == Level::operations && !work.persistent ? wide * kWideResident / kWideBlocks : 0;
  const double to_seconds = of_a_tile / device_.clock_hz;
  const std::vector<double> services =
      work.apart ? std::vector{work.tile.issue * to_seconds, work.tile.shared * to_seconds} : std::vector{tile};
  const double delay = turn + work.round_trips * device_.at("latency", {work.traffic.working_set}) +
                       std::max(0.0, alone - services.front());
  const int blocks = static_cast<int>(std::min<double>(work.tile.resident, share));
  const bool derived = level_ == Level::operations;
  const double way = (work.traffic.read + work.traffic.spilled) / std::max(1.0, work.tiles) * multiprocessors /
                     device_.at("read", {work.traffic.access, device_.cache("L2") / 4});
  // Blocks that take tile after tile begin together and stay in step: each gets its share of memory and no more.
  const bool in_step = !derived || (work.persistent && !work.drifts);
  const double rate = in_step ? tiles_a_second(blocks, services, memory, delay)
                              : tiles_a_second(blocks, {services, way, memory, delay}, multiprocessors);
  // A kernel ends when the last blocks' writes have drained; earlier blocks' writes drain while later blocks work.
  const double busy = share / rate + (derived ? blocks * memory.writing : 0);

  PhasePrediction prediction{.name = work.phase, .pass = work.pass};
  // MB7's launch is that of a kernel that waits for one word of its predecessor, from the cache. A grid of ten blocks
  // per multiprocessor starts as much later as MB7 measured; for a larger one, tiles contain this.
  const double begin = turn > 0 ? 0 : wide * std::min(1.0, work.tiles / multiprocessors / kWideBlocks);
  const double ramp = level_ == Level::operations && work.tile.chain > 0 ? device_.at("ramp") : 0;
  prediction.seconds = device_.at("launch_dependent") - cached_latency() + begin + ramp + work.waiting + busy;
  prediction.work = {
      {"elements", work.elements}, {"bytes.read", work.traffic.read}, {"bytes.written", work.traffic.written}};
  if (work.tile.instructions > 0) prediction.work["instructions"] = work.elements * work.tile.instructions;
  if (work.tile.shared > 0) {
    prediction.work["shared_accesses"] = work.elements * work.tile.shared / device_.at("shared_load", {1});
  }
  const double moved = work.traffic.read + work.traffic.written;
  prediction.work["bytes.l2"] = moved + work.traffic.spilled;
  if (work.traffic.working_set > device_.cache("L2")) prediction.work["bytes.dram"] = moved;
  prediction.binding = binding(work, memory_share(work.traffic, prediction.seconds),
                               work.elements / multiprocessors / device_.clock_hz / prediction.seconds);
  return prediction;
}

double DeviceCosts::memory_share(const Traffic& traffic, double seconds) const {
  const bool is_cached = traffic.working_set <= device_.cache("L2");
  if (!is_cached && device_.tables.contains("datasheet.bandwidth")) {
    // Share of the peak, as counters state it: a copy reaches nine tenths of that.
    return (traffic.read + traffic.written) / device_.at("datasheet.bandwidth") / seconds;
  }
  Traffic in_order = traffic;  // short runs keep memory waiting, not busy
  in_order.runs = 0;
  const MemorySeconds busy = memory_seconds(in_order, device_);
  return (busy.reading + busy.writing) / seconds;
}

std::string DeviceCosts::binding(const KernelWork& work, double memory, double elements_a_cycle) const {
  const std::string_view name = work.traffic.working_set <= device_.cache("L2") ? "l2" : "dram";
  const TileWork& tile = work.tile;
  const bool counted = tile.issue > 0 || tile.shared > 0;
  std::vector<std::pair<double, std::string_view>> used{{memory, name}};
  if (counted) {
    used.emplace_back(elements_a_cycle * tile.issue, "issue");
    used.emplace_back(elements_a_cycle * tile.shared, "shared");
  } else {
    used.emplace_back(elements_a_cycle * tile.cycles, "multiprocessor");
  }
  const auto most = std::ranges::max_element(used);
  constexpr double least = 0.6;  // share of a binding resource, as in `sortlab count`
  return std::string{most->first < least ? "latency" : most->second};
}

PhasePrediction DeviceCosts::scan(std::string phase, int pass, double counters) const {
  return {.name = std::move(phase),
          .pass = pass,
          .seconds = level_ == Level::tiles ? device_.at("tile.counter_scan", {counters}) : derived_scan(counters),
          .binding = "latency",
          .work = {{"counters", counters}}};
}

double DeviceCosts::derived_scan(double counters) const {
  const double tiles = count_blocks(counters, kScanTile);
  const double at_once = std::min(tiles, kScanResident * device_.cores);
  // One kernel clears the tiles' states; in the other each tile waits for its predecessors' sum.
  return 2 * device_.at("launch_dependent") + kScanInstructions * kDependentIssue / device_.clock_hz +
         tiles * device_.at("lookback", {at_once});
}

PhasePrediction DeviceCosts::searches(std::string phase, int pass, const std::string& how, double searches, double run,
                                      double array_bytes) const {
  const double spacing = how == "path" ? 16384 : 1024;  // bytes a search, in the arrays of that table
  return {.name = std::move(phase),
          .pass = pass,
          .seconds = level_ == Level::tiles
                         ? searches * device_.at("search." + how, {searches * spacing, run * bytes_.key})
                         : derived_searches(how, searches, run, array_bytes),
          .binding = "latency",
          .work = {{"searches", searches}}};
}

double DeviceCosts::derived_searches(const std::string& how, double searches, double run, double array_bytes) const {
  const bool path = how == "path";
  const double cache = device_.cache("L2");
  const double blocks = count_blocks(searches, kSearchThreads);
  const double busy = std::min<double>(blocks, device_.cores);  // multiprocessors
  const double warps = std::ceil(count_blocks(searches, kWarp) / busy);
  // The warps of a multiprocessor share its port to the cache; all share memory, which transfers whole bursts.
  const double way = kSector / (device_.at("read", {4, cache / 4}) / device_.cores);
  const double memory = array_bytes > cache ? kMemoryBurst * busy / device_.at("read", {4, array_bytes}) : 0;
  const double wait = device_.at("latency", {array_bytes}) + kSearchInstructions * kDependentIssue / device_.clock_hz;
  const auto round = [&](double lanes) {  // number of lanes that probe other places than their neighbours
    const double sectors = lanes * (path ? 2 : 1);
    return warps / throughput(static_cast<int>(warps), std::vector{sectors * way, sectors * memory}, wait);
  };
  double seconds = path ? 0 : round(kWarp);  // a splitter is read first
  // In the first rounds neighbours, who search one run, probe the same few places.
  const double of_a_warp = kWarp * array_bytes / bytes_.key / searches;  // elements
  for (double places = 1; places < run; places *= 2) {
    seconds += round(std::min(kWarp, 1 + of_a_warp * places / run));
  }
  return device_.at("launch_dependent") - cached_latency() + seconds;
}

double DeviceCosts::look_back(double blocks) const {
  if (level_ == Level::operations) return blocks * device_.at("lookback", {blocks});
  // If blocks begin together, block i looks back at half of its predecessors until it meets one with an inclusive
  // prefix; later blocks find one sooner.
  return blocks / 2 * cached_latency();
}

double DeviceCosts::cached_latency() const {
  return device_.at("latency", {device_.cache("L2") / 4});
}

PhasePrediction DeviceCosts::fillings(std::string phase, int pass, double count) const {
  return {.name = std::move(phase),
          .pass = pass,
          .seconds = count * device_.at("memset"),
          .binding = "latency",
          .work = {{"launches", count}}};
}

PassDigits pass_digits(const DistributionView& view, bool first, int shift, int bits, double tile) {
  PassDigits digits;
  const std::vector<double> shares = view.digit_shares(shift, bits);
  double distinct = 0;
  for (const double share : shares) {
    if (share <= 0) continue;
    digits.entropy -= share * std::log2(share);
    distinct += 1 - std::pow(1 - share, tile);
  }
  digits.distinct = std::max(1.0, first ? view.distinct_digits(shift, bits, static_cast<int>(tile)) : distinct);
  // A tile with fewer distinct digits than its share of the input has less to rank.
  digits.entropy = std::clamp(digits.entropy, 0.0, std::log2(digits.distinct));
  return digits;
}

double sortedness(const DistributionView& view) {
  return std::max(0.0, 1 - 2 * view.descents());
}

double chained_merge(double tile, double items) {
  return std::log2(tile) + items;
}

double chained_merge_sort(double threads, double items) {
  double accesses = 0;
  for (double merged = 2; merged <= threads; merged *= 2) accesses += chained_merge(merged * items, items);
  return accesses;
}

double count_blocks(double elements, double tile) {
  return std::ceil(elements / tile);
}

ElementBytes element_bytes(const Workload& workload) {
  return {.key = static_cast<double>(byte_size(workload.key)), .value = static_cast<double>(byte_size(workload.value))};
}

}  // namespace sortlab

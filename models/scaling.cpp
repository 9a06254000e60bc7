#include "models/scaling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/parameters.hpp"

namespace sortlab {
namespace {

constexpr std::array kOfDevice{
    Resource{"clock", "cycles a second of the multiprocessors"},
    Resource{"multiprocessors", "how many there are"},
    Resource{"issue", "instructions that a multiprocessor issues in a cycle"},
    Resource{"integer", "of them integer and logic instructions"},
    Resource{"shared", "accesses to shared memory in a cycle, atomics among them"},
    Resource{"memory.bandwidth", "bytes a second between memory and the second-level cache"},
    Resource{"memory.latency", "seconds until memory answers", true},
    Resource{"l2.bandwidth", "bytes a second between the second-level cache and the multiprocessors"},
    Resource{"l2.latency", "seconds until the second-level cache answers", true},
    Resource{"l2.bytes", "size of the second-level cache"},
    Resource{"launch.latency", "seconds of a launch, a memset or a wait of the host", true},
    Resource{"link.bandwidth", "bytes a second between host and device"},
};

constexpr std::array kOfHost{
    Resource{"clock", "cycles a second of cores and caches"},
    Resource{"memory.bandwidth", "bytes a second between memory and caches"},
    Resource{"memory.latency", "seconds until memory answers", true},
    Resource{"synchronization.latency", "seconds of a barrier, a waking, a line from another core", true},
};

/// Resource of a part that all multiprocessors work on: their number times their clock.
constexpr std::string_view kAllCycles = "multiprocessors at their clock";

/// The shares of a value's time by resource; the time of resource "" is the same on every machine.
struct Part {
  std::string_view resource;
  double time;
};

/// A point of a table, and its profile.
struct Sample {
  const MachineProfile& machine;
  const ProfileTable& table;
  const ProfileTable::Point& point;
  double time;  ///< the value, or for a rate what one takes

  std::size_t place(std::string_view argument) const {
    const auto found = std::ranges::find(table.arguments, argument);
    if (found == table.arguments.end()) {
      throw MissingQuantity(fmt::format("a table of the profile of {} has no argument '{}': it is of another version",
                                        machine.name, argument));
    }
    return static_cast<std::size_t>(found - table.arguments.begin());
  }
  double argument(std::string_view name) const { return point.at[place(name)]; }
  double argument_or(std::string_view name, double otherwise) const {
    return std::ranges::find(table.arguments, name) == table.arguments.end() ? otherwise : argument(name);
  }
};

constexpr double kWord = 4;  ///< bytes

using Parts = std::vector<Part>;
using Follows = Parts (*)(const Sample&);

Parts nothing(const Sample& s) {
  return {{"", s.time}};
}
Parts clock(const Sample& s) {
  return {{"clock", s.time}};
}
Parts issue(const Sample& s) {
  return {{"issue", s.time}};
}
Parts integer(const Sample& s) {
  return {{"integer", s.time}};
}
Parts shared(const Sample& s) {
  return {{"shared", s.time}};
}
Parts memory(const Sample& s) {
  return {{"memory.bandwidth", s.time}};
}
Parts launch(const Sample& s) {
  return {{"launch.latency", s.time}};
}
Parts link(const Sample& s) {
  return {{"link.bandwidth", s.time}};
}
Parts l2_latency(const Sample& s) {
  return {{"l2.latency", s.time}};
}
Parts synchronization(const Sample& s) {
  return {{"synchronization.latency", s.time}};
}

Parts device_stream(const Sample& s) {
  const bool cached = s.argument("bytes") <= s.machine.cache("L2");
  return {{cached ? "l2.bandwidth" : "memory.bandwidth", s.time}};
}

/// Runs to many places. Memory moves no more bytes for short ones (`sortlab count`: 4.00 read and 4.06 written per key
/// of 4 bytes in CUB's sweep): the extra time over a copy is spent in the cache that gathers them.
Parts device_scatter(const Sample& s) {
  const double copying = std::min(s.time, 1 / s.machine.at("copy", {s.argument("element_bytes"), kBeyondCaches}));
  return {{"memory.bandwidth", copying}, {"l2.bandwidth", s.time - copying}};
}

Parts device_latency(const Sample& s) {
  const double bytes = s.argument("bytes");
  if (bytes <= s.machine.cache("shared")) return {{"clock", s.time}};  // the first-level cache is the same memory
  return {{bytes <= s.machine.cache("L2") ? "l2.latency" : "memory.latency", s.time}};
}

Parts device_search(const Sample& s) {
  return {{s.argument("array_bytes") <= s.machine.cache("L2") ? "l2.latency" : "memory.latency", s.time}};
}

/// The shortest scan is launches; the extra time of longer ones streams counters.
Parts counter_scan(const Sample& s) {
  const auto least = std::ranges::min_element(s.table.points, {}, [](const auto& point) { return point.at.front(); });
  const double launches = std::min(s.time, least->value);
  return {{"launch.latency", launches}, {"memory.bandwidth", s.time - launches}};
}

/// Parts of a kernel that is timed whole, by the bytes of an element that it reads and writes: a launch; a stream, at
/// most as long as the kernel; and the rest, which `rest` names.
Parts timed_whole(const Sample& s, double elements, double read, double written, std::string_view rest) {
  const double launched = std::min(s.time, s.machine.at("launch_dependent") / elements);
  const double set = elements * (read + written);
  const double rate = s.machine.at(written > 0 ? "copy" : "read", {kWord, set});
  const double streamed = std::min(s.time - launched, (read + written) / rate);
  const bool cached = set <= s.machine.cache("L2");
  return {{"launch.latency", launched},
          {cached ? "l2.bandwidth" : "memory.bandwidth", streamed},
          {rest, s.time - launched - streamed}};
}

/// Kernels over keys alone.
Parts whole_reading(const Sample& s) {
  const double key = s.argument_or("key_bytes", kWord);
  return timed_whole(s, s.argument("bytes") / key, key, 0, kAllCycles);
}
/// Kernels that move each element once, in runs that the second-level cache gathers.
Parts whole_moving(const Sample& s) {
  const double element = s.argument_or("key_bytes", kWord) + s.argument_or("value_bytes", 0);
  return timed_whole(s, s.argument("bytes") / element, element, element, "l2.bandwidth");
}
Parts all_cycles(const Sample& s) {
  return {{kAllCycles, s.time}};
}

/// Blocks that partition a sequence each, as many a multiprocessor as the table says: the time of all of them per
/// element of one.
Parts block_partition(const Sample& s) {
  const double element = s.argument("key_bytes") + s.argument("value_bytes");
  const double bytes = 2 * element * s.machine.cores;
  const double set = bytes * s.argument("blocks") * s.argument("bytes") / element;
  const double streamed = std::min(s.time, bytes / s.machine.at("copy", {kWord, set}));
  return {{set <= s.machine.cache("L2") ? "l2.bandwidth" : "memory.bandwidth", streamed}, {"clock", s.time - streamed}};
}

/// Threads that merge two lists of vectors each: the time of all of them per vector of one. What is no stream is one
/// thread's chain of comparisons.
Parts vector_merge(const Sample& s) {
  constexpr double vector = 16;  // bytes
  const double bytes = 2 * vector * std::exp2(s.argument("log2_threads"));
  const double set = bytes * std::exp2(s.argument("log2_run"));
  const double streamed = std::min(s.time, bytes / s.machine.at("copy", {vector, set}));
  return {{set <= s.machine.cache("L2") ? "l2.bandwidth" : "memory.bandwidth", streamed}, {"clock", s.time - streamed}};
}

/// The host packs slices; it fetches their counts and sends back the places.
Parts host_packing(const Sample& s) {
  constexpr double counter = 4;  // bytes of a slice, each way
  const double bytes = s.argument("bytes");
  double copies = 0;
  for (const double direction : {0.0, 1.0}) copies += counter / s.machine.at("link", {direction, 0, bytes});
  copies = std::min(copies, s.time);
  return {{"link.bandwidth", copies}, {"", s.time - copies}};
}

/// True if the working sets of all threads together fit the last cache.
bool in_host_caches(const Sample& s) {
  const auto threads = std::ranges::find(s.table.arguments, "threads");
  const double of = threads == s.table.arguments.end() ? 1 : s.argument("threads");
  return of * s.argument("bytes") <= s.machine.cache("L3");
}

Parts host_stream(const Sample& s) {
  return {{in_host_caches(s) ? "clock" : "memory.bandwidth", s.time}};
}

Parts host_latency(const Sample& s) {
  return {{in_host_caches(s) ? "clock" : "memory.latency", s.time}};
}

/// A piece of a sort over several sizes: the time of the smallest, in cache, is the core's; the extra of larger ones is
/// memory's once they leave the caches.
Parts by_size(const Sample& s) {
  const std::size_t axis = s.place("bytes");
  const ProfileTable::Point* least = &s.point;
  for (const ProfileTable::Point& other : s.table.points) {
    bool same = other.at[axis] < least->at[axis];
    for (std::size_t i = 0; same && i < other.at.size(); ++i) same = i == axis || other.at[i] == s.point.at[i];
    if (same) least = &other;
  }
  const double core = std::clamp(least->value, 0.0, std::max(0.0, s.time));
  return {{"clock", core}, {in_host_caches(s) ? "clock" : "memory.bandwidth", s.time - core}};
}

/// Parts of a scatter from memory to memory, whose counterpart in cache is `append`.
Parts beside_append(const Sample& s) {
  const double in_cache = s.machine.at("append", {s.argument("key"), s.argument("value"), s.argument("lines"),
                                                  s.argument("digit_bits"), s.argument("collision_bits")});
  const double core = std::clamp(in_cache, 0.0, std::max(0.0, s.time));
  return {{"clock", core}, {"memory.bandwidth", s.time - core}};
}

/// Parts of a scatter from memory to memory without a counterpart in cache: its bytes at the rate of a copy are
/// memory's, the rest the core's.
Parts beside_copy(const Sample& s) {
  const double threads = s.argument("threads");
  const double bytes = 2 * (s.argument("key") + s.argument("value"));
  const double memory_time = std::min(s.time, bytes * threads / s.machine.at("copy_nt", {threads, kBeyondCaches}));
  return {{"clock", s.time - memory_time}, {"memory.bandwidth", memory_time}};
}

/// Tables by how their names begin and end; the first that fits counts.
struct Rule {
  std::string_view begin, end;
  Follows follows;
  bool whole = false;  ///< `begin` is the whole name
  /// Sizes stay where they are: they are no working sets of the device, or a launch is a share of short kernels' times.
  bool fixed_sizes = false;
  bool fits(std::string_view name) const {
    return whole ? name == begin : name.starts_with(begin) && name.ends_with(end);
  }
};

constexpr Rule kDeviceRules[]{
    {"clock", "", clock, true},
    {"read", "", device_stream, true},
    {"write", "", device_stream, true},
    {"copy", "", device_stream, true},
    {"read2_write1", "", device_stream, true},
    {"scatter", "", device_scatter, true},
    {"scatter_random", "", device_scatter, true},
    {"datasheet.bandwidth", "", memory, true},
    {"latency", "", device_latency, true},
    {"launch", "", launch},  // _dependent, _wide
    {"graph_node", "", launch, true},
    {"memset", "", launch, true},
    {"ramp", "", launch, true},
    {"host_sync", "", launch, true},
    {"copy_back", "", launch, true},
    {"link", "", link, true},
    {"lookback", "", l2_latency},
    {"issue.ffma", "", issue, true},
    {"issue.iadd3", "", integer, true},
    {"issue.imad", "", integer, true},
    {"issue.lop3", "", integer, true},
    {"issue.prmt", "", integer, true},
    {"issue.shf", "", integer, true},
    {"issue.barrier", "", issue, true},
    {"issue.match", "", issue, true},
    {"issue.popc", "", issue, true},
    {"issue.vote", "", issue, true},
    {"match", "", issue, true},
    {"issue.shfl", "", shared, true},  // shuffles take the path of loads from shared memory
    {"issue.lds", "", shared, true},
    {"issue.sts", "", shared, true},
    {"shared_", "", shared},
    {"overlap.", "", nothing},
    {"resident.", "", nothing},
    {"tile.counter_scan", "", counter_scan, true},
    {"tile.", "", nothing},  // cycles; those that pipes are busy scale where they are counted (DeviceCosts::tile)
    {"alone.", "", clock},
    {"search.", "", device_search},
    {"bbsort.least_and_most", "", whole_reading, true, true},
    {"bbsort.count", "", whole_reading, false, true},  // _sorted
    {"bbsort.scatter", "", whole_moving, true, true},
    {"bbsort.bucket", "", all_cycles, true},
    {"bbsort.pack", "", host_packing, true, true},
    {"quicksort.count", "", whole_reading, true, true},
    {"quicksort.scan", "", launch, true},
    {"quicksort.scatter", "", whole_moving, true, true},
    {"quicksort.resident", "", nothing, true},
    {"quicksort.partition", "", block_partition, true, true},
    {"quicksort.small", "", clock, true},
    {"hybrid_sort.least_and_most", "", whole_reading, true, true},
    {"hybrid_sort.histogram", "", whole_reading, true, true},
    {"hybrid_sort.count", "", whole_reading, true, true},
    {"hybrid_sort.prefix", "", counter_scan, true},
    {"hybrid_sort.scatter", "", whole_moving, true, true},
    {"hybrid_sort.vectors", "", whole_moving, true, true},
    {"hybrid_sort.merge", "", vector_merge, true},
    {"hybrid_sort.pack", "", whole_moving, true, true},
};

constexpr Rule kHostRules[]{
    {"read", "", host_stream, true},
    {"read_ahead", "", host_stream, true},
    {"rewrite", "", host_stream, true},
    {"write", "", host_stream, true},
    {"copy", "", host_stream, true},
    {"write_nt", "", memory, true},
    {"copy_nt", "", memory, true},
    {"copy_runs", "", memory, true},
    {"split.copy", "", memory, true},
    {"latency", "", host_latency},  // _small_pages
    {"touch", "", host_latency, true},
    {"part", "", host_latency, true},
    {"transfer", "", synchronization, true},
    {"handover", "", synchronization, true},
    {"barrier", "", synchronization, true},
    {"wake", "", synchronization, true},
    {"thread_start", "", synchronization, true},
    {"overlap.", "", nothing},
    {"pace", "", nothing, true},
    {"loop.", "", nothing},  // cycles
    {"branch_miss", "", clock, true},
    {"issue.compress", "", clock, true},
    {"store_", "", clock},
    {"line_out", "", host_stream, true},
    {"stehle_heterogeneous.merge", "", beside_copy, true},
    {"map", "", clock, true},
    {"prefix", "", clock, true},
    {"count", "", clock, true},
    {"append", "", clock},  // .count
    {"scatter", "", beside_append, true},
    {"scatter.ordinary", "", by_size, true},
    {"scatter.skewed", "", by_size, true},
    {"merge.", ".tree", by_size},
    {"merge.", "", clock},
    {"aa.", ".merge", by_size},
    {"aa.", "", clock},
    {"split.", "", by_size},
    {"msd.merge", "", by_size, true},
    {"msd.", ".append", beside_copy},
    {"msd.", ".part", by_size},
    {"msd.", ".guard", by_size},
    {"msd.", "", clock},
    {"paradis.small", "", clock, true},
    {"paradis.insertion", "", clock, true},
    {"paradis.", "", by_size},
};

double resource_factor(const Factors& factors, std::string_view name) {
  const auto found = factors.find(name);
  return found == factors.end() ? 1 : found->second;
}

/// The speed-up of a share.
double resource_speed(const Factors& factors, std::span<const Resource> resources, std::string_view name) {
  if (name == kAllCycles) return resource_factor(factors, "clock") * resource_factor(factors, "multiprocessors");
  const auto resource = std::ranges::find(resources, name, &Resource::name);
  const double factor = resource_factor(factors, name);
  return resource != resources.end() && resource->latency ? 1 / factor : factor;
}

bool is_rate(std::string_view unit) {
  return unit.ends_with("/s") || unit == "Hz" || unit == "1/cycle";
}

/// Working sets on a machine with another second-level cache: those beyond the first level scale with it. Not those of
/// searches, whose array also determines how many are in flight.
void move_sizes(ProfileTable& table, const MachineProfile& base, double l2) {
  if (l2 == 1) return;
  const double first_level = base.cache("shared");
  for (std::size_t axis = 0; axis < table.arguments.size(); ++axis) {
    if (table.arguments[axis] != "bytes") continue;
    for (ProfileTable::Point& point : table.points) {
      if (point.at[axis] > first_level) point.at[axis] *= l2;
    }
  }
}

void check_names(const Factors& factors, std::span<const Resource> resources) {
  for (const auto& [name, factor] : factors) {
    if (std::ranges::find(resources, name, &Resource::name) != resources.end()) continue;
    std::vector<std::string> names;
    for (const Resource& resource : resources) names.emplace_back(resource.name);
    throw BadInput(
        fmt::format("set: unknown resource '{}'{}; allowed: {}", name, did_you_mean(name, names), join(names)));
  }
}

/// Rates of a multiprocessor per cycle, of the capabilities that CUDA 13 compiles for: CUDA C++ Programming Guide,
/// "Arithmetic Instructions", "Shared Memory" and "Compute Capabilities"; for the integers of 12.0 and 12.1 NVIDIA's
/// RTX Blackwell GPU Architecture paper, which has as many integer as floating-point lanes in a multiprocessor, twice
/// those of its predecessors. The guide's tables name 7.5 to 9.0; 10.0, 10.3 and 11.0 are taken to be as 9.0.
struct Architecture {
  std::string_view capability;
  double schedulers;    ///< instructions of a warp
  double integers;      ///< results of integer addition and logic
  double shared_bytes;  ///< read or written by the 32 banks; atomics go the same way
};
constexpr Architecture kArchitectures[]{
    {"7.5", 4, 64, 128},  {"8.0", 4, 64, 128},  {"8.6", 4, 64, 128},   {"8.7", 4, 64, 128},
    {"8.8", 4, 64, 128},  {"8.9", 4, 64, 128},  {"9.0", 4, 64, 128},   {"10.0", 4, 64, 128},
    {"10.3", 4, 64, 128}, {"11.0", 4, 64, 128}, {"12.0", 4, 128, 128}, {"12.1", 4, 128, 128},
};

const Architecture& find_architecture(const MachineProfile& machine) {
  const auto found = std::ranges::find(kArchitectures, machine.compute_capability, &Architecture::capability);
  if (found != std::end(kArchitectures)) return *found;
  std::vector<std::string> known;
  for (const Architecture& architecture : kArchitectures) known.emplace_back(architecture.capability);
  throw BadInput(
      fmt::format("machine: compute_capability of {} is {}; allowed: {}, whose rates are known", machine.name,
                  machine.compute_capability.empty() ? "not stated" : machine.compute_capability, join(known)));
}

}  // namespace

std::span<const Resource> scalable_resources(bool device) {
  if (device) return kOfDevice;
  return kOfHost;
}

MachineProfile scaled(const MachineProfile& base, const Factors& factors, bool device) {
  const std::span<const Resource> resources = scalable_resources(device);
  const std::span<const Rule> rules = device ? std::span<const Rule>{kDeviceRules} : std::span<const Rule>{kHostRules};
  check_names(factors, resources);
  MachineProfile made = base;
  made.origin = kScaledOrigin;
  made.log = nullptr;
  if (made.base.empty()) made.base = base.id;
  for (const auto& [name, factor] : factors) made.factors[name] = factor * resource_factor(base.factors, name);
  made.clock_hz *= resource_factor(factors, "clock");
  if (device) {
    made.cores = std::max(1, static_cast<int>(std::lround(base.cores * resource_factor(factors, "multiprocessors"))));
    for (auto& [level, bytes] : made.cache_bytes) {
      if (level == "L2") bytes *= resource_factor(factors, "l2.bytes");
    }
  }
  made.tables.clear();
  MachineProfile quiet = base;  // rules look things up that no prediction has read
  quiet.log = nullptr;
  for (const auto& [name, table] : base.tables) {
    const auto rule = std::ranges::find_if(rules, [&](const Rule& one) { return one.fits(name); });
    if (rule == rules.end()) continue;
    ProfileTable& scaled_table = made.tables[name] = table;
    for (ProfileTable::Point& point : scaled_table.points) {
      const double before = point.value;
      const bool rate = is_rate(table.unit);
      double time = 0;
      for (const Part& part : rule->follows({quiet, table, point, rate ? 1 / before : before})) {
        time += part.time / resource_speed(factors, resources, part.resource);
      }
      point.value = rate ? 1 / time : time;
      point.ci95.reset();  // the interval belongs to the base's measurement
    }
    if (device && !rule->fixed_sizes) move_sizes(scaled_table, base, resource_factor(factors, "l2.bytes"));
  }
  return made;
}

Factors factors_between(const MachineProfile& measured, const MachineProfile& datasheet) {
  const Architecture& here = find_architecture(measured);
  const Architecture& there = find_architecture(datasheet);
  Factors factors;
  factors["clock"] = datasheet.clock_hz / measured.clock_hz;
  factors["multiprocessors"] = static_cast<double>(datasheet.cores) / measured.cores;
  factors["issue"] = there.schedulers / here.schedulers;
  factors["integer"] = there.integers / here.integers;
  factors["shared"] = there.shared_bytes / here.shared_bytes;
  factors["memory.bandwidth"] = datasheet.at("datasheet.bandwidth") / measured.at("datasheet.bandwidth");
  factors["l2.bytes"] = datasheet.cache("L2") / measured.cache("L2");
  // As many bytes per cycle between a multiprocessor and the cache; no datasheet states a latency or a launch time.
  factors["l2.bandwidth"] = factors["clock"] * factors["multiprocessors"];
  return factors;
}

MachineProfile on_datasheet(const MachineProfile& measured, const MachineProfile& datasheet) {
  MachineProfile made = scaled(measured, factors_between(measured, datasheet), true);
  made.id = datasheet.id;
  made.name = datasheet.name;
  made.source = datasheet.source;
  made.memory_bytes = datasheet.memory_bytes;
  set_hash(made);
  return made;
}

}  // namespace sortlab

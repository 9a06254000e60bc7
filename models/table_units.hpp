// Units of the tables that models read: each table has one, whoever wrote the profile.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace sortlab {

/// Tables that have one unit. A `*` in a name stands for any text.
struct UnitOfTables {
  std::string_view unit;
  std::string_view names;  ///< with a space between two, or one name with a space in it after its `*`
};

/// Tables of a host and of papers' machines. The first entry that holds a name counts. The schema of profiles has the
/// same rules (configs/schemas/machine_profile.schema.json), and a test asks both about every kept table.
inline constexpr std::array kUnitsOfHost{
    UnitOfTables{"B/s",
                 "bandwidth bandwidth.host_to_device copy copy_nt copy_runs datasheet.bandwidth read read_ahead "
                 "rewrite split.copy write write_nt"},
    UnitOfTables{"s/element",
                 "append append.count count map prefix scatter scatter.* split.count split.*.memory "
                 "split.*.register aa.* merge.* msd.* paradis.* stehle_heterogeneous.merge"},
    UnitOfTables{"s",
                 "barrier branch_miss ha2010.* handover issue.compress latency latency_small_pages line_out part "
                 "store_commit store_forward store_wide thread_start touch transfer wake"},
    UnitOfTables{"cycles/element",
                 "loop.*.bound loop.*.cycles satish2010.histogram_pass satish2010.histogram_pass_measured "
                 "satish2010.merge_pass satish2010.merge_pass_table satish2010.radix_pass satish2010.radix_sort "
                 "satish2010.split_cycles satish2010.write_out_3_1 satish2010.write_out_3_2"},
    UnitOfTables{"instructions/element", "loop.*.instructions satish2010.split_instructions"},
    UnitOfTables{"branches/element", "loop.*.branches"},
    UnitOfTables{"1", "overlap.* pace"},
    UnitOfTables{"1/s", "satish2010.radix_rate shared_atomics"},
    UnitOfTables{"B", "memory_segment satish2010.bandwidth_bound_from"},
    UnitOfTables{"cycles", "warp_instruction"},
    UnitOfTables{"ratio", "satish2010.relative_time_64_bit"},
    UnitOfTables{"share", "satish2010.split_share"},
    UnitOfTables{"s", "*: fixed"},
    UnitOfTables{"s/element", "*: rate"}};

/// Tables of a device.
inline constexpr std::array kUnitsOfDevice{
    UnitOfTables{"B/s",
                 "copy datasheet.bandwidth datasheet.shared_memory in_flight link peer.* read read2_write1 scatter "
                 "scatter_random write"},
    UnitOfTables{"s/element",
                 "bbsort.count bbsort.count_sorted bbsort.least_and_most bbsort.scatter hybrid.pairs "
                 "hybrid_sort.count hybrid_sort.histogram hybrid_sort.least_and_most hybrid_sort.pack "
                 "hybrid_sort.scatter hybrid_sort.vectors quicksort.count quicksort.partition quicksort.scatter "
                 "sample_sort.find sample_sort.scatter"},
    UnitOfTables{"s/slice", "bbsort.pack"},
    UnitOfTables{"s/vector", "hybrid_sort.merge"},
    UnitOfTables{"blocks", "quicksort.resident resident.*"},
    UnitOfTables{"s",
                 "alone.* bbsort.bucket copy_back graph_node host_sync hybrid.* hybrid_sort.prefix latency launch "
                 "launch_dependent launch_wide lookback lookback_hop memset msd.* quicksort.scan quicksort.small ramp "
                 "sample_sort.begin sample_sort.list sample_sort.merge sample_sort.quicksort sample_sort.sample "
                 "search.* tile.counter_scan"},
    UnitOfTables{"cycles/element", "tile.*"},
    UnitOfTables{"cycles",
                 "match shared_atomic shared_atomic_ands shared_broadcast shared_load shared_random shared_store"},
    UnitOfTables{"1/cycle", "issue.*"},
    UnitOfTables{"exponent", "overlap.*"},
    UnitOfTables{"1/s", "datasheet.issue"},
    UnitOfTables{"Hz", "clock"},
    UnitOfTables{"W", "energy.idle energy.static"},
    UnitOfTables{"J", "energy.*"}};

/// The unit that a table must have; nullopt for a table that only a plug-in knows.
inline std::optional<std::string_view> unit_of_table(std::string_view table, bool on_device) {
  const auto is = [&](std::string_view name) {
    const std::size_t any = name.find('*');
    if (any == std::string_view::npos) return table == name;
    return table.size() + 1 >= name.size() && table.starts_with(name.substr(0, any)) &&
           table.ends_with(name.substr(any + 1));
  };
  const auto holds = [&](const UnitOfTables& one) {
    if (one.names.starts_with('*')) return is(one.names);
    for (std::string_view rest = one.names;;) {
      const std::size_t space = rest.find(' ');
      if (is(rest.substr(0, space))) return true;
      if (space == std::string_view::npos) return false;
      rest.remove_prefix(space + 1);
    }
  };
  const std::span<const UnitOfTables> known =
      on_device ? std::span<const UnitOfTables>{kUnitsOfDevice} : std::span<const UnitOfTables>{kUnitsOfHost};
  for (const UnitOfTables& one : known) {
    if (holds(one)) return one.unit;
  }
  return std::nullopt;
}

}  // namespace sortlab

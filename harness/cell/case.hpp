// A cell: one algorithm on one input, with everything that decides what is measured. results/README.md has the fields.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/component.hpp"
#include "generators/distribution.hpp"

namespace sortlab {

class JsonField;

/// What a host array lies in that a device copies from and to.
enum class HostMemory : std::uint8_t { pinned, pageable };

struct Case {
  const Algorithm* algorithm = nullptr;
  const Component* component = nullptr;  ///< what of it is measured; null: the sort
  Parameters parameters;                 ///< resolved; none is auto
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  Layout layout = Layout::separate;
  std::uint64_t n = 0;  ///< elements
  NamedDistribution distribution;
  std::uint64_t seed = 1;
  Residency residency = Residency::host;
  HostMemory host_memory = HostMemory::pinned;  ///< of input and result; of residency end_to_end alone
  int threads = 1;
};

/// State of the caches when a timed sort begins: on the host as restoring the input leaves them, on a device with the
/// L2 cache flushed; of a sort end to end, as the copy into the host's array leaves both. Part of a cell.
constexpr std::string_view cache_state(Residency residency) {
  return residency == Residency::device ? "flushed" : "as restored";
}

constexpr std::string_view name_of(Layout layout) {
  return layout == Layout::separate ? "separate" : "together";
}
constexpr std::string_view name_of(Residency residency) {
  constexpr std::array<std::string_view, 3> names{"host", "device", "end_to_end"};
  return names[static_cast<std::size_t>(residency)];
}

constexpr std::string_view name_of(HostMemory memory) {
  return memory == HostMemory::pinned ? "pinned" : "pageable";
}

/// Where input and result of a sort lie unless a case says otherwise.
constexpr Residency own_residency(Processor runs_on) {
  return runs_on == Processor::device ? Residency::device : Residency::host;
}

Problem problem_of(const Case&);
Input input_of(const Case&);
/// Bytes of the keys and values of an input, or of its records.
std::uint64_t input_bytes(const Case&);
/// Bytes of all records of an input together; 0 if it cannot be made. Counted once, and then remembered.
std::uint64_t record_bytes(const NamedDistribution&, std::uint64_t n, std::uint64_t seed);
/// Bytes of one Pair, padding included.
std::uint64_t pair_bytes(KeyType key, ValueType value);

/// Why the distribution makes no such input, or nothing.
std::optional<std::string> refusal_of_input(const Case&);

/// Why this cell will not be run, or nothing: the distribution or the algorithm declines.
std::optional<std::string> refusal(const Case&);

/// One line for people and for --filter: "satish_cpu_radix:digit_bits=8 u32/u32 n=1048576 thearling:ands=2 threads=1
/// seed=1"; of a component "ha_implicit_radix/presort:…". A residency other than the algorithm's own stands after the
/// types: "cub_radix u32 end_to_end/pinned n=…".
std::string text_of(const Case&);

/// Algorithm, component, resolved parameters, input, residency (with the kind of host memory of a sort end to end),
/// threads and cache state, hashed: 16 hexadecimal digits, the same on every machine. Neither stopping rule, affinity,
/// entropy nor build are part of it.
std::string cell_id(const Case&);

/// The cell, the machine with its device if the sort runs on one, and the build of the plug-in with its library's
/// version: what resuming goes by.
std::string key_of(const Case&, std::string_view machine_id);

/// Parameters as an object, typed, and the inverse as text for resolve().
nlohmann::ordered_json to_json(const Parameters&);
GivenParameters read_parameters(const JsonField& field);

/// `case` of a record. `entropy_bits` and `affinity` are known once the cell was measured.
nlohmann::ordered_json to_json(const Case&, std::optional<double> entropy_bits = {},
                               const std::vector<int>& affinity = {});

/// The inverse, of this program's records and of strangers'. Throws BadInput: an algorithm that is not here, say.
Case case_from_json(const nlohmann::ordered_json& json, const std::string& where = "case");

/// Of `case` in a record, for tables: "end_to_end/pinned"; empty where input and result lie where the sort runs.
std::string end_to_end_text(const nlohmann::ordered_json& what);

/// Each throws BadInput.
Residency parse_residency(std::string_view text);
HostMemory parse_host_memory(std::string_view text);

/// 1000003, 2^24, 64M (K, M, G are powers of 1024) or 500e6, up to 2^40. Throws BadInput.
std::uint64_t parse_count(std::string_view text);

}  // namespace sortlab

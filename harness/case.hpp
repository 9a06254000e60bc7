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
  int threads = 1;
};

/// State of the caches when a timed sort begins: on the host as restoring the input leaves them, on a device with the
/// L2 cache flushed. Part of a cell.
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

Problem problem_of(const Case&);
Input input_of(const Case&);
/// Bytes of the keys and values of an input.
std::uint64_t input_bytes(KeyType key, ValueType value, std::uint64_t n);
/// Bytes of one Pair, padding included.
std::uint64_t pair_bytes(KeyType key, ValueType value);

/// Replaces each parameter that is auto by what the plug-in or the model chooses for this case.
void resolve_automatic(Case&);

/// Why this cell will not be run, or nothing: the distribution or the algorithm declines.
std::optional<std::string> refusal(const Case&);

/// One line for people and for --filter: "satish_cpu_radix:digit_bits=8 u32/u32 n=1048576 thearling:ands=2 threads=1
/// seed=1"; of a component "ha_implicit_radix/presort:…".
std::string text_of(const Case&);

/// Algorithm, component, resolved parameters, input, residency, threads and cache state, hashed: 16 hexadecimal digits,
/// the same on every machine. Neither stopping rule, affinity, entropy nor build are part of it.
std::string cell_id(const Case&);

/// The cell, the machine with its device if the sort runs on one, and the build of the plug-in with its library's
/// version: what resuming goes by.
std::string key_of(const Case&, std::string_view machine_id);

/// `case` of a record. `entropy_bits` and `affinity` are known once the cell was measured.
nlohmann::ordered_json to_json(const Case&, std::optional<double> entropy_bits = {},
                               const std::vector<int>& affinity = {});

/// The inverse, of this program's records and of strangers'. Throws BadInput: an algorithm that is not here, say.
Case case_from_json(const nlohmann::ordered_json& json, const std::string& where = "case");

/// Throws BadInput.
Residency parse_residency(std::string_view text);

/// 1000003, 2^24, 64M (K, M, G are powers of 1024) or 500e6, up to 2^40. Throws BadInput.
std::uint64_t parse_count(std::string_view text);

}  // namespace sortlab

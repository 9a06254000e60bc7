#include "tests/conformance/conformance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "generators/distribution.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {
namespace {

bool together(const Problem& problem) {
  return problem.value != ValueType::none && problem.layout == Layout::together;
}

std::size_t element_bytes(const Problem& problem) {
  if (!together(problem)) return byte_size(problem.key);
  return with_key_type(problem.key, [&]<class K>() {
    return with_value_type(problem.value, []<class V>() {
      if constexpr (std::is_same_v<V, NoValue>) return sizeof(K);
      return sizeof(Pair<K, std::conditional_t<std::is_same_v<V, NoValue>, std::uint32_t, V>>);
    });
  });
}

/// Writes the input into `buffers`: keys with their record ids, in separate arrays or as pairs.
void fill(const Buffers& buffers, const Problem& problem, const Keys& keys) {
  const std::uint64_t n = keys.count;
  if (!keys.bytes.empty()) std::memcpy(buffers.bytes.data, keys.bytes.data(), keys.bytes.size());
  if (!together(problem)) {
    if (n != 0) std::memcpy(buffers.keys.data, keys.storage.data(), n * byte_size(problem.key));
    if (problem.value != ValueType::none) fill_values(problem.value, n, buffers.values.data, 1);
    return;
  }
  with_key_type(problem.key, [&]<class K>() {
    with_value_type(problem.value, [&]<class V>() {
      if constexpr (!std::is_same_v<V, NoValue>) {
        const K* from = reinterpret_cast<const K*>(keys.storage.data());
        auto* pairs = static_cast<Pair<K, V>*>(buffers.keys.data);
        for (std::uint64_t i = 0; i < n; ++i) pairs[i] = {static_cast<V>(i), from[i]};
      }
    });
  });
}

std::string fault_in(const std::vector<std::vector<PhaseSpan>>& lanes, const Info& info) {
  for (const std::vector<PhaseSpan>& spans : lanes) {
    for (const PhaseSpan& span : spans) {
      if (std::ranges::find(info.phases, span.name) == info.phases.end()) {
        return fmt::format("reports a phase '{}' that its Info does not name", span.name);
      }
      if (span.begin_ns < 0 || span.end_ns < span.begin_ns) {
        return fmt::format("phase '{}' ends before it begins", span.name);
      }
    }
  }
  return {};
}

}  // namespace

Arena::Arena(std::uint64_t largest_n)
    : keys((largest_n + 1) * sizeof(Pair<uint128, std::uint64_t>)), values((largest_n + 1) * sizeof(std::uint64_t)) {}

std::string find_fault(const Info& info, const Problem& problem, Sorter& sorter, const Keys& keys, Arena& arena,
                       const Trial& trial) {
  const Placement placement = trial.placement;
  const std::uint64_t n = keys.count;
  Buffers data{{arena.keys.place(n, element_bytes(problem), placement), n}, {}};
  const bool separate_values = problem.value != ValueType::none && !together(problem);
  arena.values.place(separate_values ? n : 0, byte_size(problem.value), placement);
  if (separate_values) data.values = {arena.values.place(n, byte_size(problem.value), placement), n};

  if (problem.key == KeyType::string) {
    arena.bytes = std::make_unique<GuardedArray>(keys.bytes.size() + 1);
    data.bytes = {arena.bytes->place(keys.bytes.size(), 1, placement), keys.bytes.size()};
  }

  fill(data, problem, keys);
  const InputDigest digest = digest_input(data, problem, 1);
  PhaseTimer phases{trial.threads};
  for (int time = 0; time < trial.times; ++time) {
    if (time > 0) fill(data, problem, keys);
    phases.reset();
    const Buffers sorted = sorter.sort(data, phases);
    const std::string when = time == 0 ? "" : " when called again";
    if (const Verification verdict = verify(digest, sorted, problem, info.stable, 1, trial.order); !verdict.ok()) {
      return verdict.reason + when;
    }
    if (std::string trespass = arena.keys.trespass(); !trespass.empty()) return "keys: " + trespass + when;
    if (std::string trespass = arena.values.trespass(); !trespass.empty()) return "values: " + trespass + when;
    if (arena.bytes != nullptr && !arena.bytes->trespass().empty()) {
      return "bytes: " + arena.bytes->trespass() + when;
    }
    if (std::string fault = fault_in(phases.lanes(), info); !fault.empty()) return fault + when;
    if (n != 0 && sorted.keys.data != data.keys.data && sorter.scratch_bytes() < n * element_bytes(problem)) {
      return fmt::format("returns {} elements in scratch memory, of which it states {} bytes", n,
                         sorter.scratch_bytes());
    }
  }
  return {};
}

std::string describe(const Problem& problem, const std::string& input, int threads) {
  std::string text{to_name(problem.key)};
  if (problem.value != ValueType::none) {
    text += fmt::format("/{} {}", to_name(problem.value), together(problem) ? "together" : "separate");
  }
  return text + fmt::format(", n {}, {}, {} thread{}", problem.n, input, threads, threads == 1 ? "" : "s");
}

}  // namespace sortlab

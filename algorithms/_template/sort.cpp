// The plainest sort that uses all of the contract: least significant digit first, eight bits a pass, a histogram and a
// scatter each, from the array into scratch memory and back. Every place to change is here and in plan.hpp;
// algorithms/README.md says how.
#include <array>

#include "algorithms/_template/plan.hpp"
#include "algorithms/plugin.hpp"
#include "core/pages.hpp"

namespace sortlab {
namespace {

/// Sorts keys `K` with values `V` (NoValue: none) in separate arrays.
template <class K, class V>
class Ready final : public Sorter {
 public:
  // Made outside the timed call: allocate and touch here all that sort() needs.
  Ready(const Problem& problem, const Resources& resources)
      : keys_(problem.n * sizeof(K), resources.pages), values_(problem.n * kValueBytes, resources.pages) {}

  std::uint64_t scratch_bytes() const override { return keys_.size() + values_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    Buffers scratch{{keys_.template data<void>(), data.keys.count}, {values_.template data<void>(), data.values.count}};
    for (int pass = 0; pass < kDigits.passes(); ++pass) {
      Histogram offsets{};
      {
        const auto phase = phases.phase("histogram", pass);
        for (K key : data.keys.as<K>()) ++offsets[digit(key, pass)];
        std::uint64_t sum = 0;
        for (std::uint64_t& offset : offsets) sum += std::exchange(offset, sum);
      }
      const auto phase = phases.phase("scatter", pass);
      scatter(data, scratch, offsets, pass);
      std::swap(data, scratch);
    }
    return data;
  }

 private:
  using Histogram = std::array<std::uint64_t, plain_radix::kRadix>;
  static constexpr LsdDigits kDigits = plain_radix::digits_of(sizeof(K));
  static constexpr std::size_t kValueBytes = std::is_same_v<V, NoValue> ? 0 : sizeof(V);

  /// Digits of the ordered image, so that unsigned order is the order of any key type, floats included.
  static std::size_t digit(K key, int pass) {
    return static_cast<std::size_t>(to_ordered(key) >> kDigits.shift(pass) & (plain_radix::kRadix - 1));
  }

  static void scatter(const Buffers& from, const Buffers& to, Histogram& offsets, int pass) {
    const auto keys = from.keys.as<K>();
    for (std::uint64_t i = 0; i < keys.size(); ++i) {
      const std::uint64_t target = offsets[digit(keys[i], pass)]++;
      to.keys.as<K>()[target] = keys[i];
      if constexpr (kValueBytes != 0) to.values.as<V>()[target] = from.values.as<V>()[i];
    }
  }

  Pages keys_;
  Pages values_;
};

class Template final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  // Leave this out if Info says all. A reason here is a record `skipped`, never an error.
  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (problem.n <= std::uint64_t{1} << 32) return std::nullopt;
    return "is an example: n is at most 2^32";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    return with_key_type(problem.key, [&]<class K>() {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        return std::make_unique<Ready<K, V>>(problem, resources);
      });
    });
  }

 private:
  Info info_{
      .name = "_template",
      .title = "A plain radix sort, the example of the contract",
      .source = "Knuth, The Art of Computer Programming 3, section 5.2.5",
      .family = "radix",
      .origin = Origin::ours,
      .version = "",
      .keys = {kKeyTypes.begin(), kKeyTypes.end()},
      .values = {kValueTypes.begin(), kValueTypes.end()},
      .stable = true,
      .phases = {"histogram", "scatter"},
  };
};

const Register registered{std::make_unique<Template>()};

}  // namespace
}  // namespace sortlab

// A plain sort with phases, scratch memory, a model and probes: an LSD radix sort with eight bits per pass. Each pass
// makes a histogram and scatters, from the array into scratch memory or back. algorithms/README.md says how to turn it
// into another sort.
#include "algorithms/_template/passes.hpp"
#include "algorithms/common/adapters/with_types.hpp"
#include "core/pages.hpp"

namespace sortlab {
namespace {

/// Sorts keys `K` with values `V` (NoValue: none) in separate arrays.
template <class K, class V>
class Ready final : public Sorter {
 public:
  // Runs outside the timed call: allocate and touch here all memory that sort() needs.
  Ready(const Problem& problem, const Resources& resources)
      : keys_(problem.n * sizeof(K), resources.pages), values_(problem.n * byte_size(problem.value), resources.pages) {}

  std::uint64_t scratch_bytes() const override { return keys_.size() + values_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    Buffers scratch{{keys_.template data<void>(), data.keys.count}, {values_.template data<void>(), data.values.count}};
    for (int pass = 0; pass < _template::lsd_digits(sizeof(K)).passes(); ++pass) {
      auto counting = phases.phase("histogram", pass);
      const _template::Offsets offsets = _template::histogram<K>(data.keys.as<K>(), pass);
      counting.stop();
      const auto scattering = phases.phase("scatter", pass);
      _template::scatter<K, V>(data, scratch, offsets, pass);
      std::swap(data, scratch);
    }
    return data;
  }

 private:
  Pages keys_;
  Pages values_;
};

class PlugIn final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  // Omit this if Info suffices. A reason leads to a record of status `skipped`, never to an error.
  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (problem.n <= std::uint64_t{1} << 32) return std::nullopt;
    return "is an example: n is at most 2^32";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    return make_for_types<Ready>(problem, problem, resources);
  }

 private:
  Info info_{
      .name = "_template",
      .title = "A plain radix sort, the example of the contract",
      .source = "Knuth, The Art of Computer Programming 3, section 5.2.5",
      .family = "radix",
      .origin = Origin::ours,
      .stable = true,
      .phases = {"histogram", "scatter"},
  };
};

const Register registered{std::make_unique<PlugIn>()};

}  // namespace
}  // namespace sortlab

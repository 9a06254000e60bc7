#include "algorithms/satish_split_radix_2009/pass_launcher.cuh"

namespace sortlab {
namespace {

template <int kItems, class Word, class V>
class SplitSorter2009 final : public Sorter {
 public:
  SplitSorter2009(const Problem& problem, KeyOrder<Word> order, const Parameters& parameters,
                  const Resources& resources)
      : passes_(problem, order, parameters, resources) {}

  std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count < 2) return data;
    for (int pass = 0; pass < passes_.count(); ++pass) {
      {
        const auto phase = phases.phase("sort tiles", pass);
        passes_.launch_sort_tiles(pass, data);
      }
      {
        const auto phase = phases.phase("find offsets", pass);
        passes_.launch_find_offsets(pass, data.keys.count);
      }
      {
        const auto phase = phases.phase("scan", pass);
        passes_.launch_scan();
      }
      const auto phase = phases.phase("scatter", pass);
      passes_.launch_scatter(pass, data);
    }
    return data;
  }

 private:
  split_radix_2009::PassLauncher<kItems, Word, V> passes_;
};

}  // namespace

std::unique_ptr<Sorter> make_satish_split_radix_2009(const Problem& problem, const Parameters& parameters,
                                                     const Resources& resources) {
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() {
      return split_radix_2009::with_items(parameters, [&]<int kItems>() -> std::unique_ptr<Sorter> {
        return std::make_unique<SplitSorter2009<kItems, Word, V>>(problem, order, parameters, resources);
      });
    });
  });
}

}  // namespace sortlab

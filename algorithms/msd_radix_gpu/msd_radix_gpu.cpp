#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/msd_radix_gpu/plan.hpp"
#include "algorithms/msd_radix_gpu/stable_plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_msd_radix_gpu(const Problem&, const Parameters&, const Resources&);

namespace {

class MsdRadixGpu final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;
  bool stable(const Parameters& parameters) const override { return parameters.word("stable") == "yes"; }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const std::string& regime = parameters.word("regime");
    const int top_bits = parameters.is_auto("top_bits") ? 0 : static_cast<int>(parameters.integer("top_bits"));
    if (!keeps_order_of_pairs(problem, parameters)) {
      return msd_gpu::declines(problem.n, byte_size(problem.key), byte_size(problem.value), regime, top_bits);
    }
    const std::string only = stable_regime(problem);
    if (regime == only && top_bits == 0) return std::nullopt;
    return "stable=yes sorts " + std::to_string(problem.n) + " pairs only with regime=" + only +
           " and top_bits=0; use these values or auto";
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter == "top_bits") return std::int64_t{0};
    if (parameter != "regime") return std::nullopt;
    const auto usual = msd_gpu::usual_regime(problem.n, byte_size(problem.key), byte_size(problem.value));
    return std::string{msd_gpu::regime_name(usual)};
  }

 private:
  static bool keeps_order_of_pairs(const Problem& problem, const Parameters& parameters) {
    return problem.value != ValueType::none && parameters.word("stable") == "yes";
  }
  /// The only regime of the stable mode for n elements.
  static std::string stable_regime(const Problem& problem) {
    const bool is_one_block =
        problem.n <= msd_gpu::stable::one_block_elements(byte_size(problem.key), byte_size(problem.value));
    return is_one_block ? "one_block" : "partitions";
  }
};

const Register registered{std::make_unique<MsdRadixGpu>(
    Info{.name = "msd_radix_gpu",
         .title = "MSD radix sort: partitions by reserved runs, buckets sorted in shared memory",
         .source = "ours; see its README",
         .family = "radix",
         .origin = Origin::ours,
         .parameters =
             {{.name = "stable",
               .meaning = "yes: equal keys keep their order; pairs are then sorted by kernels of their own",
               .standard = std::string{"no"},
               .choices = {"no", "yes"}},
              {.name = "top_bits",
               .meaning = "total width of the first two digits in bits (wide and partitions); 0: the fewest that make "
                          "buckets of uniform keys",
               .standard = std::string{"auto"},
               .range = {0, msd_gpu::kMaxTopBits},
               .later = true},
              {.name = "regime",
               .meaning = "variant: one block; one level in one kernel; one wide partition, then levels; or two "
                          "partitions, then levels",
               .standard = std::string{"auto"},
               .choices = choice_words(msd_gpu::kRegimes),
               .automatic = {0, 1, 2, 3},
               .later = true}},
         .phases = {"one level", "count", "partition", "levels", "bucket sort"}},
    &make_msd_radix_gpu)};

}  // namespace
}  // namespace sortlab

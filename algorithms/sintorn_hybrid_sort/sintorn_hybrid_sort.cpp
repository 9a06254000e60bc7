#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/sintorn_hybrid_sort/plan.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_sintorn_hybrid_sort(const Problem&, const Parameters&, const Resources&);

namespace {

class SintornHybridSort final : public DeviceAlgorithm {
 public:
  using DeviceAlgorithm::DeviceAlgorithm;

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    return hybrid_sort::declines(problem.n, problem.needs_total_order);
  }
};

const Register registered{std::make_unique<SintornHybridSort>(
    Info{.name = "sintorn_hybrid_sort",
         .title = "Hybrid sort (bucket sort, then vector merge sort) of Sintorn and Assarsson",
         .source = "Sintorn and Assarsson, JPDC 2008; baseline in Leischner, Osipov and Sanders 2009, figure 5",
         .family = "bucket",
         .origin = Origin::paper,
         .paper = "leischner2009",
         .keys = {KeyType::f32},
         .values = {ValueType::none},
         .synchronises = true,
         .parameters = {{.name = "room",
                         .meaning =
                             "maximum keys of a division in multiples of n / 1024; never below the 106 488 that a "
                             "grid of 2009 could merge",
                         .standard = std::int64_t{8},
                         .range = {2, 1024}}},
         .presets = {{"paper", {{"room", "8"}}}},
         .roles = {{"hybrid_sort", {{"room", "8"}}}},
         .phases = {"min and max", "histogram", "count", "prefix", "scatter", "sort vectors", "merge", "pack"},
         .limits = {{.text = "a value that many keys share, or a histogram bin with most of the keys, overfills one "
                             "division (LEI-C7: crashes on DD)",
                     .name = "full_division",
                     .shown_by = "deterministic_duplicates",
                     .shown_at = 1000003}}},
    &make_sintorn_hybrid_sort)};

}  // namespace
}  // namespace sortlab

#include <algorithm>

#include "algorithms/common/adapters/device_algorithm.hpp"
#include "algorithms/component.hpp"
#include "algorithms/stehle_heterogeneous/settings.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_stehle_heterogeneous(const Problem&, const Parameters&, const Resources&);
[[gnu::weak]] std::unique_ptr<Runnable> make_chunked_sort(const Problem&, const Parameters&, const Resources&);

namespace heterogeneous {

Parameters chunk_parameters(const Settings& settings, const Problem& chunk, const Resources& resources) {
  const Algorithm& sort = chunk_sort(settings);
  GivenParameters given;
  if (settings.sort == kPaperSort) {
    const auto& presets = sort.info().presets;
    given = std::ranges::find(presets, "paper", &std::pair<std::string, GivenParameters>::first)->second;
  }
  Parameters parameters = resolve(sort.info().name, sort.info().parameters, given);
  for (const Parameter& declared : sort.info().parameters) {
    if (!parameters.is_auto(declared.name)) continue;
    if (auto own = sort.automatic(declared.name, chunk, resources)) {
      parameters.set(declared.name, *own);
    } else {
      parameters.set(declared.name, declared.automatic.at(0));
    }
  }
  return parameters;
}

}  // namespace heterogeneous

namespace {

using namespace heterogeneous;

class StehleHeterogeneous final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (make_stehle_heterogeneous != nullptr) return std::nullopt;
    return "this build is without CUDA";
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    const Settings settings = resolve_settings(parameters);
    if (auto reason = declines_merge(settings.merge, problem.key, problem.value)) return reason;
    const Resources one{.threads = 1, .cpus = {}};
    const Problem chunk = chunk_problem(problem, settings);
    try {
      if (auto reason = refusal_anywhere(chunk_sort(settings), chunk, chunk_parameters(settings, chunk, one), one)) {
        return "sort=" + settings.sort + ": " + *reason;
      }
    } catch (const BadInput& error) {
      return "sort=" + settings.sort + ": " + error.what();
    }
    return std::nullopt;
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    return make_stehle_heterogeneous(problem, parameters, resources);
  }

 private:
  Info info_{
      .name = "stehle_heterogeneous",
      .title = "Heterogeneous sort: chunks sorted on the device while others are copied, merged by the host",
      .source = "Stehle and Jacobsen 2017, section 5",
      .family = "merge",
      .origin = Origin::paper,
      .paper = "stehle2017",
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .runs_on = Processor::both,
      .parallel = true,
      .stable = false,
      .allocates_inside = true,
      .parameters = {{.name = "chunks",
                      .meaning = "chunks of the input (s), each of at most a third of the device's memory",
                      .standard = std::int64_t{4},
                      .range = {1, kMaxChunks}},
                     {.name = "sort",
                      .meaning =
                          "sort of a chunk on the device: an algorithm with its default parameters, or the hybrid "
                          "radix sort in the paper's form",
                      .standard = std::string{kHybridSort},
                      .choices = {kHybridSort, kPaperSort, "cub_radix", "satish_split_radix"}},
                     {.name = "merge",
                      .meaning =
                          "merge of all chunks by the host: ours, several chains per thread, each with the heads of "
                          "its runs in registers or in a loser tree; or libstdc++'s parallel multiway merge",
                      .standard = std::string{"ours"},
                      .choices = choice_words(kMerges)}},
      .presets = {{"paper", {{"chunks", "4"}, {"sort", kPaperSort}, {"merge", "libstdcxx"}}},
                  {"paper_tuned_sort", {{"chunks", "4"}, {"sort", kHybridSort}, {"merge", "libstdcxx"}}},
                  {"tuned", {}}},
      .roles = {{"heterogeneous_sort", {{"sort", kPaperSort}, {"merge", "libstdcxx"}}}},
      .phases = {"copy_in", "sort", "copy_out", "merge"},
  };
};

const Register registered{std::make_unique<StehleHeterogeneous>()};

/// The elements that remain after the chunks form one run; its verifier inspects tiles of a chunk.
std::optional<std::string> declines_chunked_sort(const Problem& problem, const Parameters& parameters) {
  const Chunks chunks{problem.n, resolve_settings(parameters).chunks};
  if (chunks.size() == 0 || chunks.remainder() <= chunks.size()) return std::nullopt;
  return "chunks: more elements remain after the chunks than one chunk holds";
}

const RegisterComponent chunked_sort{{.algorithm = "stehle_heterogeneous",
                                      .name = "chunked_sort",
                                      .title = "All chunks copied in, sorted and copied out, without the merge",
                                      .source = "Stehle and Jacobsen 2017, section 5 and figure 8",
                                      .postcondition = "each chunk is sorted",
                                      .phases = {"copy_in", "sort", "copy_out"},
                                      .declines = declines_chunked_sort,
                                      .prepare = &make_chunked_sort}};

}  // namespace
}  // namespace sortlab

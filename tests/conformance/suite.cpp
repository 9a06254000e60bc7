// The conformance suite: tests every plug-in over all problems that it accepts. There is one test for each plug-in and
// group, named Plugins/Conformance.<Group>/<plug-in>:
//   Info      consistency of its Info
//   Small     every type, value, layout and input at every n up to 300; with several threads, each pair of type, n and
//             input at some n
//   Settings  each pair of setting of its parameters, type and n, also with all sorters prepared before the first sort
//   Covering  n up to 1000003 (peers 262147, records 50021): each pair of type, n, input, threads, setting, placement
//             and page kind at least once
//   Limits    each input in Info::limits fails as described, and the sorter can sort again
//   Full      the whole products of types, inputs, threads and all these n, and of settings, types and n (labelled
//   slow)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <tuple>

#include "algorithms/common/adapters/end_to_end.hpp"
#include "core/build_digest.hpp"
#include "generators/distribution.hpp"
#include "harness/cell/candidates.hpp"
#include "harness/machine/gpu.hpp"
#include "tests/conformance/conformance.hpp"
#include "tests/conformance/covering_array.hpp"
#include "tests/conformance/current_case.hpp"

namespace sortlab {
namespace {

struct ElementType {
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  Layout layout = Layout::separate;
};

/// Largest n up to which every n is tested.
constexpr std::uint64_t kLargestSmall = 300;

/// Larger n: powers of two and common tile sizes, each with its neighbours, and the first prime above a million. Peers,
/// which their authors test, stop just above 2^18; records, whose strings take long to make, just above 50 000.
std::vector<std::uint64_t> large_n(const Info& info) {
  const bool records = info.keys.front() == KeyType::string;
  const std::uint64_t largest = records ? 50021 : info.origin == Origin::peer ? 262147 : 1000003;
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t edge : {512, 768, 1024, 1536, 2048, 3072, 4096, 8192, 12288, 16384, 32768, 65536, 131072}) {
    if (edge < largest) sizes.insert(sizes.end(), {edge - 1, edge, edge + 1});
  }
  sizes.push_back(largest);
  return sizes;
}

/// All settings to test: the defaults, the presets, and each parameter at each of its words, at the ends of its range
/// and at the values that a model may choose, with the others at their defaults.
///
/// Settings that do not suit every input are tested only if they declare a weaker order (Algorithm::order).
std::vector<GivenParameters> all_settings(const Algorithm& algorithm) {
  const Info& info = algorithm.info();
  const auto is_declared = [&](const std::string& name, const std::string& word) {
    return !algorithm.order(resolve(info.name, info.parameters, {{name, word}})).is_whole();
  };
  std::vector<GivenParameters> settings{{}};
  for (const auto& [name, given] : info.presets) settings.push_back(given);
  for (const Parameter& parameter : info.parameters) {
    for (const std::string& word : parameter.choices) {
      if (!parameter.promise || is_declared(parameter.name, word)) settings.push_back({{parameter.name, word}});
    }
    if (parameter.promise || !parameter.choices.empty()) continue;
    for (std::int64_t number : parameter.automatic) settings.push_back({{parameter.name, std::to_string(number)}});
    for (double end : {parameter.range.smallest, parameter.range.largest}) {
      settings.push_back({{parameter.name, fmt::format("{}", end)}});
    }
  }
  return settings;
}

int count(const auto& levels) {
  return static_cast<int>(levels.size());
}

class Conformance : public testing::TestWithParam<const Algorithm*> {
 protected:
  void SetUp() override {
    if (auto reason = algorithm().unavailable()) GTEST_SKIP() << *reason;
    if (info().runs_on == Processor::devices) {
      GTEST_SKIP() << "sorts shards on several devices, which the tests in its folder give it";
    }
    if (info().runs_on != Processor::host && gpus_here().names.empty())
      GTEST_SKIP() << "no GPU: " << gpus_here().reason;
  }

  const Algorithm& algorithm() const { return *GetParam(); }
  const Info& info() const { return algorithm().info(); }
  bool on_device() const { return info().runs_on == Processor::device; }
  /// The suite's arrays lie in the host's memory.
  Residency residency() const { return info().runs_on == Processor::host ? Residency::host : Residency::end_to_end; }

  const std::vector<TestInput>& inputs() const {
    return info().keys.front() == KeyType::string ? all_string_inputs() : all_test_inputs();
  }

  std::vector<ElementType> element_types() const {
    std::vector<ElementType> types;
    for (KeyType key : info().keys) {
      for (ValueType value : info().values) {
        if (value == ValueType::none) types.push_back({key, value, Layout::separate});
        if (value == ValueType::none) continue;
        for (Layout layout : info().layouts) types.push_back({key, value, layout});
      }
    }
    return types;
  }

  /// 3 threads: more than the machines of this project often have.
  std::vector<int> thread_counts() const { return info().parallel ? std::vector{1, 2, 3} : std::vector{1}; }

  /// Resolved parameters. If a model would choose, takes the first candidate.
  Parameters resolved(const GivenParameters& given, const Problem& problem, const Resources& resources) const {
    Parameters parameters = resolve(info().name, info().parameters, given);
    for (const Parameter& declared : info().parameters) {
      if (!parameters.is_auto(declared.name)) continue;
      parameters.set(declared.name, list_candidates(algorithm(), declared, problem, parameters, resources).at(0));
    }
    return parameters;
  }

  /// A sorter for the problem, or null if the plug-in declines it.
  std::unique_ptr<Sorter> prepared(const Problem& problem, const GivenParameters& given, const Resources& resources) {
    const CurrentCase current{info().name + ": preparing " + testing::PrintToString(given)};
    const Parameters parameters = resolved(given, problem, resources);
    if (refusal(algorithm(), problem, parameters, resources)) return nullptr;
    auto sorter = algorithm().prepare(problem, parameters, resources);
    if (!on_device()) return sorter;
    return end_to_end(std::move(sorter), problem, resources, problem.n % 2);  // no plug-in may require more alignment
  }

  /// Parameters and resources of a sort, and how often it runs.
  struct Way {
    GivenParameters given;
    Resources resources;
    Placement placement = Placement::at_end;
    int times = 2;
  };
  static Resources small_pages(int threads) { return {.threads = threads, .cpus = {}, .pages = PageKind::small}; }

  /// Sorts one case, and fails the test on an error. Skips declined cases.
  void run_case(const ElementType& type, const TestInput& input, const Keys& keys, const Way& way, Arena& arena) {
    const Problem problem = make_problem(type, keys.count, keys);
    const std::unique_ptr<Sorter> sorter = prepared(problem, way.given, way.resources);
    if (sorter != nullptr) run_case(*sorter, problem, input, keys, way, arena);
  }
  void run_case(Sorter& sorter, const Problem& problem, const TestInput& input, const Keys& keys, const Way& way,
                Arena& arena) {
    const CurrentCase current{info().name + ": " + describe(problem, input.name, way.resources.threads)};
    const Parameters parameters = resolved(way.given, problem, way.resources);
    Info promised = info();
    promised.stable = algorithm().stable(parameters);
    try {
      const Trial trial{way.placement, way.resources.threads, way.times, algorithm().order(parameters)};
      ASSERT_EQ(find_fault(promised, problem, sorter, keys, arena, trial), "")
          << current.text() << ", " << testing::PrintToString(way.given);
      ++sorted_;
    } catch (const KnownFailure& failure) {
      expect_names_limit(failure, arena, current.text());
    }
  }

  /// Sorts each pair of type, n and input with several threads, as often as there are numbers of threads.
  void run_small_with_threads(Arena& arena) {
    std::vector<std::uint64_t> sizes{0,  1,  2,  3,   5,   8,   13,  16,  17,  31,  32,  33,
                                     63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, kLargestSmall};
    const std::vector<ElementType> types = element_types();
    const std::vector<int> threads = thread_counts();
    for (const std::vector<int>& row : covering_array({count(types), count(sizes), count(inputs()), 2})) {
      const auto at = [&](std::size_t factor) { return static_cast<std::size_t>(row[factor]); };
      const auto keys = inputs()[at(2)].make(types[at(0)].key, sizes[at(1)]);
      if (!keys) continue;
      for (std::size_t several = 1; several < threads.size(); ++several) {
        run_case(types[at(0)], inputs()[at(2)], *keys,
                 {{}, small_pages(threads[several]), row[3] == 0 ? Placement::at_end : Placement::after_start}, arena);
        if (HasFatalFailure()) return;
      }
    }
  }

  /// Sorts each pair of setting, type and n, or their whole product.
  void run_settings(bool whole_product, Arena& arena) {
    constexpr std::array<std::uint64_t, 6> sizes{0, 1, 2, 33, 300, 5000};
    const std::vector<GivenParameters> settings = all_settings(algorithm());
    const std::vector<ElementType> types = element_types();
    const std::vector<int> levels{count(settings), count(types), count(sizes)};
    for (const std::vector<int>& row : whole_product ? product(levels) : covering_array(levels)) {
      const auto at = [&](std::size_t factor) { return static_cast<std::size_t>(row[factor]); };
      const TestInput& input = inputs()[sizes[at(2)] % 2];
      const auto keys = input.make(types[at(1)].key, sizes[at(2)]);
      run_case(types[at(1)], input, *keys, {settings[at(0)], small_pages(thread_counts().back())}, arena);
      if (HasFatalFailure()) return;
    }
  }

  /// Sorts with each of `settings`. All sorters are prepared before the first sort, as in a sweep.
  void run_together(const std::vector<GivenParameters>& settings, const TestInput& input, Arena& arena) {
    constexpr std::uint64_t n = 5000;
    const Keys keys = *input.make(info().keys[0], n);
    const Problem problem = make_problem(element_types()[0], n, keys);
    const Resources resources = small_pages(thread_counts().back());
    std::vector<std::unique_ptr<Sorter>> sorters;
    for (const GivenParameters& given : settings) sorters.push_back(prepared(problem, given, resources));
    for (std::size_t i = 0; i < settings.size(); ++i) {
      if (sorters[i] == nullptr) continue;
      run_case(*sorters[i], problem, input, keys, {settings[i], resources, Placement::at_end, 1}, arena);
      if (HasFatalFailure()) return;
    }
  }
  Problem make_problem(const ElementType& type, std::uint64_t n, const Keys& keys) const {
    return {.key = type.key,
            .value = type.value,
            .layout = type.layout,
            .residency = residency(),
            .n = n,
            .needs_total_order = keys.needs_total_order,
            .bytes = keys.bytes.size()};
  }

  /// Sorts all types and inputs at `n` with each number of threads, if `wanted(threads, index of the input)`. One
  /// sorter sorts all inputs of a problem.
  template <class Wanted>
  void run_all_at(std::uint64_t n, Arena& arena, int times, const Wanted& wanted) {
    for (KeyType key : info().keys) {
      std::vector<std::optional<Keys>> keys;
      for (const TestInput& input : inputs()) keys.push_back(input.make(key, n));
      for (int threads : thread_counts()) {
        for (const ElementType& type : element_types()) {
          if (type.key != key) continue;
          for (bool total : {false, true}) {
            const auto fits = [&](std::size_t i) {
              return keys[i] && keys[i]->needs_total_order == total && wanted(threads, i);
            };
            run_inputs({.key = key,
                        .value = type.value,
                        .layout = type.layout,
                        .residency = residency(),
                        .n = n,
                        .needs_total_order = total},
                       keys, fits, threads, arena, times);
            if (HasFatalFailure()) return;
          }
        }
      }
    }
  }

  /// Sorts the inputs in `keys` that `fits` selects, with one sorter.
  template <class Fits>
  void run_inputs(Problem problem, const std::vector<std::optional<Keys>>& keys, const Fits& fits, int threads,
                  Arena& arena, int times) {
    std::unique_ptr<Sorter> sorter;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!fits(i)) continue;
      if (problem.bytes != keys[i]->bytes.size()) sorter.reset();
      problem.bytes = keys[i]->bytes.size();
      const CurrentCase current{info().name + ": " + describe(problem, inputs()[i].name, threads)};
      if (sorter == nullptr) sorter = prepared(problem, {}, small_pages(threads));
      if (sorter == nullptr) return;
      const Placement placement = (problem.n + i) % 2 == 0 ? Placement::at_end : Placement::after_start;
      try {
        ASSERT_EQ(find_fault(info(), problem, *sorter, *keys[i], arena, {placement, threads, times}), "")
            << current.text();
        ++sorted_;
      } catch (const KnownFailure& failure) {
        expect_names_limit(failure, arena, current.text());
      }
    }
  }

  /// Checks that a failure is one that Info names and that nothing was written outside the buffers.
  void expect_names_limit(const KnownFailure& failure, Arena& arena, const std::string& where) const {
    EXPECT_EQ(std::ranges::count(info().limits, failure.limit(), &Limit::name), 1)
        << where << ": threw by a limit '" << failure.limit() << "' that its Info does not name: " << failure.what();
    EXPECT_EQ(arena.keys.trespass() + arena.values.trespass(), "") << where;
  }

  std::uint64_t sorted_ = 0;  ///< number of cases that were neither declined nor failed by a known limit
};

TEST_P(Conformance, Info) {
  EXPECT_FALSE(info().name.empty() || info().title.empty() || info().source.empty() || info().family.empty());
  EXPECT_FALSE(info().keys.empty() || info().values.empty() || info().layouts.empty());
  EXPECT_EQ(build_digest(info().name).size(), 16U);
  for (const auto& [name, given] : info().presets)
    EXPECT_NO_THROW(resolve(info().name, info().parameters, given)) << name;
  for (const GivenParameters& given : all_settings(algorithm())) {
    const bool stable = algorithm().stable(resolve(info().name, info().parameters, given));
    EXPECT_TRUE(stable || !info().stable) << testing::PrintToString(given) << " is not stable, though Info says so";
  }
  EXPECT_TRUE(std::ranges::count(info().keys, KeyType::string) == 0 || info().keys.size() == 1)
      << "strings are sorted by plug-ins of their own";

  const Resources one{.threads = 1, .cpus = {}};
  for (KeyType key : kAllKeyTypes) {
    for (ValueType value : kValueTypes) {
      for (Layout layout : {Layout::separate, Layout::together}) {
        const Problem problem{.key = key, .value = value, .layout = layout, .residency = residency(), .n = 100};
        const bool said = std::ranges::count(info().keys, key) > 0 && std::ranges::count(info().values, value) > 0 &&
                          (value == ValueType::none || std::ranges::count(info().layouts, layout) > 0);
        if (said) continue;
        EXPECT_TRUE(refusal(algorithm(), problem, resolved({}, problem, one), one)) << describe(problem, "", 1);
      }
    }
  }
  const Problem problem{.key = info().keys[0],
                        .value = info().values[0],
                        .layout = info().layouts[0],
                        .residency = residency(),
                        .n = 100};
  const Resources two{.threads = 2, .cpus = {}};
  EXPECT_EQ(refusal(algorithm(), problem, resolved({}, problem, two), two).has_value(), !info().parallel);
  Problem elsewhere = problem;
  elsewhere.residency = info().runs_on == Processor::host ? Residency::device : Residency::host;
  EXPECT_TRUE(refusal(algorithm(), elsewhere, resolved({}, elsewhere, one), one));
}

TEST_P(Conformance, Limits) {
  std::set<std::string> names;
  for (const Limit& limit : info().limits) {
    EXPECT_FALSE(limit.text.empty());
    for (const std::string& name : limit.slow_on) EXPECT_NO_THROW(parse_distribution(name));
    if (limit.name.empty()) continue;
    EXPECT_TRUE(names.insert(limit.name).second) << limit.name << " twice";
    const NamedDistribution input = parse_distribution(limit.shown_by);
    const KeyType key = info().keys[0];
    const Problem problem{.key = key, .residency = residency(), .n = limit.shown_at};
    const Input asked{.key = key, .n = problem.n, .seed = 1, .parameters = input.parameters};
    ASSERT_FALSE(input.distribution->declines(asked)) << limit.shown_by;
    Keys keys{.storage = std::vector<uint128>(problem.n * byte_size(key) / sizeof(uint128) + 1), .count = problem.n};
    input.distribution->fill(asked, keys.storage.data(), 1);
    const std::unique_ptr<Sorter> sorter = prepared(problem, {}, small_pages(1));
    ASSERT_NE(sorter, nullptr) << limit.name;
    Arena arena{problem.n};
    const CurrentCase current{info().name + ": " + describe(problem, limit.shown_by, 1)};
    for (int time = 0; time < 2; ++time) {
      try {
        const std::string fault = find_fault(info(), problem, *sorter, keys, arena, {.times = 1});
        FAIL() << current.text() << ": does not fail as '" << limit.name << "' says; " << fault;
      } catch (const KnownFailure& failure) {
        EXPECT_EQ(failure.limit(), limit.name) << failure.what();
        EXPECT_EQ(arena.keys.trespass(), "");
      }
    }
    // The sorter still works after a failure.
    const NamedDistribution uniform = parse_distribution("uniform");
    uniform.distribution->fill({.key = key, .n = problem.n, .seed = 1, .parameters = uniform.parameters},
                               keys.storage.data(), 1);
    EXPECT_EQ(find_fault(info(), problem, *sorter, keys, arena, {}), "") << current.text();
  }
}

TEST_P(Conformance, Small) {
  Arena arena{kLargestSmall};
  for (std::uint64_t n = 0; n <= kLargestSmall; ++n) {
    // Sizes and inputs alternate above n = 24 (above 16 on devices), since preparing and synchronising cost a hundred
    // times as much as sorting so few elements.
    run_all_at(n, arena, 2, [&](int threads, std::size_t input) {
      if (residency() == Residency::end_to_end) return n <= 16 || (input + n) % 8 == 0;
      return threads == 1 && (n <= 24 || (n <= 64 ? (input + n) % 2 == 0 : n % 3 == 0 && (input + n / 3) % 4 == 0));
    });
    if (HasFatalFailure()) return;
  }
  if (residency() != Residency::end_to_end) run_small_with_threads(arena);
  if (HasFatalFailure()) return;
  EXPECT_GT(sorted_, kLargestSmall) << "the plug-in declined nearly all that it says it takes";
}

TEST_P(Conformance, Settings) {
  Arena arena{5000};
  run_settings(false, arena);
  if (HasFatalFailure()) return;
  std::vector<GivenParameters> settings = all_settings(algorithm());
  for (int order = 0; order < 2; ++order, std::ranges::reverse(settings)) {
    run_together(settings, inputs()[0], arena);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(sorted_, 0U);
}

// Runs each setting once on each key width: fast enough even under a sanitizer that slows it down a hundredfold.
TEST_P(Conformance, Brief) {
  constexpr std::uint64_t n = 9973;
  const auto uniform = std::ranges::find(inputs(), "uniform", &TestInput::name);  // strings have no such input
  const TestInput& input = uniform == inputs().end() ? inputs().front() : *uniform;
  Arena arena{n};
  std::set<std::tuple<std::size_t, ValueType, Layout>> widths;
  std::vector<ElementType> types;
  std::ranges::copy_if(element_types(), std::back_inserter(types), [&](const ElementType& type) {
    return widths.emplace(byte_size(type.key), type.value, type.layout).second;
  });
  for (const GivenParameters& given : all_settings(algorithm())) {
    for (const ElementType& type : types) {
      run_case(type, input, *input.make(type.key, n),
               {given, small_pages(thread_counts().back()), Placement::at_end, 1}, arena);
      if (HasFatalFailure()) return;
    }
  }
  EXPECT_GT(sorted_, 0U);
}

TEST_P(Conformance, Covering) {
  const std::vector<ElementType> types = element_types();
  const std::vector<std::uint64_t> sizes = large_n(info());
  const std::vector<int> threads = thread_counts();
  const std::vector<GivenParameters> settings = all_settings(algorithm());
  Arena arena{sizes.back()};
  for (const std::vector<int>& row :
       covering_array({count(types), count(sizes), count(inputs()), count(threads), count(settings), 2, 2})) {
    const auto at = [&](std::size_t factor) { return static_cast<std::size_t>(row[factor]); };
    const auto keys = inputs()[at(2)].make(types[at(0)].key, sizes[at(1)]);
    if (!keys) continue;
    const Resources resources{
        .threads = threads[at(3)], .cpus = {}, .pages = row[6] == 0 ? PageKind::huge : PageKind::small};
    run_case(types[at(0)], inputs()[at(2)], *keys,
             {settings[at(4)], resources, row[5] == 0 ? Placement::at_end : Placement::after_start}, arena);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(sorted_, sizes.size());
}

TEST_P(Conformance, Full) {
  std::vector<std::uint64_t> sizes = large_n(info());
  Arena arena{sizes.back()};
  for (std::uint64_t n = 0; n <= kLargestSmall; ++n) sizes.push_back(n);
  for (std::uint64_t n : sizes) {
    run_all_at(n, arena, 1, [](int, std::size_t) { return true; });
    if (HasFatalFailure()) return;
  }
  run_settings(true, arena);
}

INSTANTIATE_TEST_SUITE_P(Plugins, Conformance, testing::ValuesIn(all_algorithms()),
                         [](const auto& tested) { return tested.param->info().name; });

}  // namespace
}  // namespace sortlab

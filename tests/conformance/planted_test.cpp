// Tests of the suite with sorters that are wrong on purpose. Each must be caught for the right reason.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "tests/conformance/conformance.hpp"
#include "tests/conformance/covering_array.hpp"

namespace sortlab {
namespace {

using Key = std::uint32_t;
using Record = Pair<Key, std::uint32_t>;

/// A planted sort's misbehaviour after it has sorted correctly, on its first call, its second, and so on.
using Spoil = std::function<Buffers(Buffers data, PhaseTimer& phases, int call)>;

class PlantedSorter final : public Sorter {
 public:
  explicit PlantedSorter(Spoil spoil) : spoil_(std::move(spoil)) {}
  Buffers sort(Buffers data, PhaseTimer& phases) override {
    std::ranges::stable_sort(data.keys.as<Record>(), {}, &Record::key);
    return spoil_(data, phases, ++calls_);
  }

 private:
  Spoil spoil_;
  int calls_ = 0;
};

/// The suite's verdict on a sorter that spoils its result in this way. Input: `n` records with three of each key.
std::string verdict_on(const Spoil& spoil, Placement placement = Placement::after_start, std::uint64_t n = 99) {
  Info info;
  info.stable = true;
  info.phases = {"sort"};
  const Problem problem{.key = KeyType::u32, .value = ValueType::u32, .layout = Layout::together, .n = n};
  Keys keys{std::vector<uint128>((n + 3) / 4), n, false};
  auto* out = reinterpret_cast<Key*>(keys.storage.data());
  for (std::uint64_t i = 0; i < n; ++i) out[i] = static_cast<Key>((i * 7 + 5) % n / 3);
  Arena arena{n};
  PlantedSorter sorter{spoil};
  return find_fault(info, problem, sorter, keys, arena, {.placement = placement});
}

TEST(Planted, RightIsRight) {
  const Spoil nothing = [](Buffers data, PhaseTimer& phases, int) {
    const auto phase = phases.phase("sort");
    return data;
  };
  EXPECT_EQ(verdict_on(nothing), "");
  EXPECT_EQ(verdict_on(nothing, Placement::at_end), "");
}

TEST(Planted, DropsAKey) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              --data.keys.count;
              return data;
            }),
            "returned 98 keys and 0 values for 99 elements");
}

TEST(Planted, DuplicatesAKeyOverAnother) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              data.keys.as<Record>()[3] = data.keys.as<Record>()[2];
              return data;
            }),
            "the keys are not those of the input: some lost, changed or doubled");
}

TEST(Planted, ChangesAKeyInPlace) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              ++data.keys.as<Record>()[98].key;
              return data;
            }),
            "the keys are not those of the input: some lost, changed or doubled");
}

TEST(Planted, MispairsAValue) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              std::swap(data.keys.as<Record>()[2].value, data.keys.as<Record>()[3].value);
              return data;
            }),
            "values parted from their keys, lost or doubled");
}

TEST(Planted, GivesTwoRecordsOneValue) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              data.keys.as<Record>()[1].value = data.keys.as<Record>()[0].value;
              return data;
            }),
            "values parted from their keys, lost or doubled");
}

TEST(Planted, IsUnstableThoughItClaimsStability) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              std::swap(data.keys.as<Record>()[97], data.keys.as<Record>()[98]);
              return data;
            }),
            "claims to be stable, but equal keys changed places at element 98 of 99");
}

TEST(Planted, IsOutOfOrderAtTheEnd) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              std::swap(data.keys.as<Record>()[95], data.keys.as<Record>()[98]);
              return data;
            }),
            "out of order at element 98 of 99");
}

TEST(Planted, WritesPastTheEnd) {
  const Spoil past_the_end = [](Buffers data, PhaseTimer&, int) {
    data.keys.as<Record>().data()[data.keys.count].key = 0;
    return data;
  };
  EXPECT_EQ(verdict_on(past_the_end), "keys: 4 bytes behind the array were overwritten");
  EXPECT_DEATH(verdict_on(past_the_end, Placement::at_end), "");
}

TEST(Planted, WritesBeforeTheBeginning) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int) {
              data.keys.as<Record>().data()[-1] = {0, 0};
              return data;
            }),
            "keys: 8 bytes before the array were overwritten");
}

TEST(Planted, IsWrongTheSecondTime) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer&, int call) {
              if (call == 2) std::swap(data.keys.as<Record>()[0], data.keys.as<Record>()[98]);
              return data;
            }),
            "out of order at element 1 of 99 when called again");
}

TEST(Planted, ReportsAPhaseItDidNotName) {
  EXPECT_EQ(verdict_on([](Buffers data, PhaseTimer& phases, int) {
              const auto phase = phases.phase("merge");
              return data;
            }),
            "reports a phase 'merge' that its Info does not name");
}

TEST(Planted, ReturnsScratchItDoesNotState) {
  std::vector<Record> scratch(99);
  EXPECT_EQ(verdict_on([&](Buffers data, PhaseTimer&, int) {
              std::ranges::copy(data.keys.as<Record>(), scratch.begin());
              return Buffers{{scratch.data(), scratch.size()}, {}};
            }),
            "returns 99 elements in scratch memory, of which it states 0 bytes");
}

/// The suite's verdict on a sorter of two sorted records that accesses them in this way.
std::string verdict_on_records(const std::function<void(const Buffers&)>& touch, Placement placement) {
  struct Planted final : Sorter {
    explicit Planted(const std::function<void(const Buffers&)>& f) : touch(f) {}
    Buffers sort(Buffers data, PhaseTimer&) override {
      touch(data);
      return data;
    }
    std::function<void(const Buffers&)> touch;
  };
  Keys keys{std::vector<uint128>(2), 2, false, {'a', 'b'}};
  auto* const records = reinterpret_cast<sortlab::Record*>(keys.storage.data());
  records[0] = {0, 1, 0};
  records[1] = {1, 1, 0};
  const Problem problem{.key = KeyType::string, .n = 2, .bytes = 2};
  Arena arena{2};
  Planted sorter{touch};
  return find_fault(Info{}, problem, sorter, keys, arena, {.placement = placement});
}

TEST(Planted, TouchesBytesThatBelongToNoRecord) {
  EXPECT_EQ(verdict_on_records([](const Buffers&) {}, Placement::at_end), "");
  const auto write = [](const Buffers& data) { data.bytes.as<std::uint8_t>().data()[2] = 0; };
  EXPECT_EQ(verdict_on_records(write, Placement::after_start), "bytes: 1 bytes behind the array were overwritten");
  EXPECT_DEATH(verdict_on_records(write, Placement::at_end), "");
  EXPECT_EQ(verdict_on_records([](const Buffers& data) { data.bytes.as<std::uint8_t>()[1] = 'c'; }, Placement::at_end),
            "the keys are not those of the input: some lost, changed or doubled");
}

TEST(CoveringArray, MeetsEveryPairInFewRows) {
  const std::vector<int> levels{21, 40, 3, 1, 7, 2};
  const auto rows = covering_array(levels);
  for (std::size_t f = 0; f < levels.size(); ++f) {
    for (std::size_t g = f + 1; g < levels.size(); ++g) {
      std::set<std::pair<int, int>> met;
      for (const auto& row : rows) met.emplace(row[f], row[g]);
      EXPECT_EQ(met.size(), static_cast<std::size_t>(levels[f] * levels[g])) << f << " " << g;
    }
  }
  EXPECT_LT(rows.size(), 21U * 40U * 5U / 4U);
  EXPECT_TRUE(covering_array({3, 0}).empty());
}

TEST(TestInputs, HoldWhatBreaksSorts) {
  std::map<std::string, Keys> inputs;
  for (const TestInput& input : all_test_inputs()) {
    if (auto keys = input.make(KeyType::f32, 1000)) inputs.emplace(input.name, std::move(*keys));
  }
  EXPECT_TRUE(inputs.at("extremes").needs_total_order);
  EXPECT_FALSE(inputs.at("ordinary_extremes").needs_total_order);
  const auto* floats = reinterpret_cast<const float*>(inputs.at("extremes").storage.data());
  const auto any = [&](auto is) { return std::any_of(floats, floats + 1000, is); };
  EXPECT_TRUE(any([](float f) { return f != f; }));
  EXPECT_TRUE(any([](float f) { return std::bit_cast<Key>(f) == 0x80000000U; }));
  EXPECT_TRUE(any([](float f) { return std::bit_cast<Key>(f) == 0; }));
  EXPECT_TRUE(any([](float f) { return std::bit_cast<Key>(f) == 0xFF800000U; }));
  EXPECT_TRUE(any([](float f) { return std::bit_cast<Key>(f) == 1; }));
  EXPECT_TRUE(inputs.contains("uniform"));
}

}  // namespace
}  // namespace sortlab

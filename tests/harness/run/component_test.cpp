// Components through the whole engine: command line, plan, workers and records. This program is its own worker (see
// main below), so the components planted here exist nowhere else.
#include "algorithms/component.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/case_text.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/problem.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <utility>

#include "core/build_digest.hpp"
#include "core/temporary_folder.hpp"
#include "harness/plan/config.hpp"
#include "harness/record/record_reader.hpp"
#include "tests/support/command_line_answer.hpp"
#include "tests/support/planted_sorts.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;
using Key = std::uint32_t;
constexpr std::uint64_t kTile = 64;

/// An algorithm whose sort is wrong. A cell with a component must never call it.
class PlantedComponents final : public Algorithm {
 public:
  PlantedComponents() {
    info_.name = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none, ValueType::u32};
    info_.parameters = {{.name = "step", .meaning = "", .standard = std::int64_t{1}, .range = {1, 9}}};
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    throw std::runtime_error("the sort was called");
  }

 private:
  Info info_;
};
const RegisterBuildDigest digest{"planted", "00000000000000aa"};
const Register algorithm{std::make_unique<PlantedComponents>()};

/// Sorts tiles by the lowest digit after set_up(). A wrong component is wrong from the third call on.
template <bool kWrong>
class SortTiles final : public Runnable {
 public:
  explicit SortTiles(std::uint64_t n) : keys_(n), values_(n) {}
  std::uint64_t scratch_bytes() const override { return keys_.size() * 8; }
  void set_up(const Buffers& data) override {
    std::ranges::copy(data.keys.as<Key>(), keys_.begin());
    std::ranges::copy(data.values.as<std::uint32_t>(), values_.begin());
    ready_ = true;
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("sort tiles", 3);
    if (!std::exchange(ready_, false)) throw std::runtime_error("run without set_up");
    const auto keys = data.keys.as<Key>();
    const auto values = data.values.as<std::uint32_t>();
    for (std::uint64_t begin = 0; begin < keys.size(); begin += kTile) {
      std::vector<std::uint64_t> order(std::min(kTile, keys.size() - begin));
      for (std::uint64_t i = 0; i < order.size(); ++i) order[i] = begin + i;
      std::ranges::stable_sort(order, {}, [&](std::uint64_t i) { return keys_[i] & 15; });
      for (std::uint64_t i = 0; i < order.size(); ++i) {
        keys[begin + i] = keys_[order[i]];
        values[begin + i] = values_[order[i]];
      }
    }
    return data;
  }
  Buffers finish(const Buffers& output) override {
    const auto keys = output.keys.as<Key>();
    if (kWrong && ++finished_ == 3) std::swap(keys.front(), keys.back());
    return output;
  }
  Postcondition postcondition() const override { return {.order = {.bits = 4, .tile = kTile}}; }

 private:
  std::vector<Key> keys_;
  std::vector<std::uint32_t> values_;
  bool ready_ = false;
  int finished_ = 0;
};

template <bool kWrong>
std::unique_ptr<Runnable> make(const Problem& problem, const Parameters&, const Resources&) {
  return std::make_unique<SortTiles<kWrong>>(problem.n);
}
std::optional<std::string> declines(const Problem& problem, const Parameters&) {
  if (problem.value == ValueType::none) return "is measured on pairs";
  return std::nullopt;
}
const RegisterComponent right{{.algorithm = "planted",
                               .name = "tiles",
                               .title = "Sorts tiles",
                               .source = "nowhere",
                               .postcondition = "each tile is sorted by its lowest digit",
                               .iterations = 2,
                               .phases = {"sort tiles"},
                               .declines = declines,
                               .prepare = make<false>}};
const RegisterComponent wrong{{.algorithm = "planted",
                               .name = "wrong",
                               .title = "Sorts tiles, but not always",
                               .source = "nowhere",
                               .postcondition = "each tile is sorted by its lowest digit",
                               .phases = {"sort tiles"},
                               .declines = declines,
                               .prepare = make<true>}};

class Components : public testing::Test {
 protected:
  static Answer bench(const std::string& component, const std::string& value = "u32") {
    return sortlab_with({"bench", "--algorithm", "planted", "--component", component, "--value", value, "--n", "1000",
                         "--samples", "6", "--json"});
  }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  void configure(const std::string& algorithms) const {
    std::ofstream{file("c.json")} << R"({"name":"t","protocol":{"samples":6},"sweeps":[{"algorithms":[)" << algorithms
                                  << R"(],"values":["u32"],"n":[1000],"distributions":["uniform"]}]})";
  }

  const TemporaryFolder folder_;
};

TEST_F(Components, HaveRecordsOfTheirOwnKind) {
  const Answer answer = bench("tiles");
  EXPECT_EQ(answer.status, 0) << answer.error;
  const std::vector<ordered_json> lines = answer.lines();
  ASSERT_EQ(lines.size(), 1U);
  const ordered_json& record = lines.front();
  EXPECT_EQ(record["kind"], "component");
  EXPECT_EQ(record["component"], "tiles");
  EXPECT_EQ(record["case"]["component"], "tiles");
  EXPECT_EQ(record["postcondition"], "each tile is sorted by its lowest digit");
  EXPECT_EQ(record["iterations"], 2);
  EXPECT_EQ(record["status"], "ok") << record["reason"];
  EXPECT_EQ(record["samples_s"].size(), 6U);
  EXPECT_EQ(record["scratch_bytes"], 8000);
  EXPECT_EQ(record["phases"].at(0)["name"], "sort tiles");
  EXPECT_EQ(record["phases"].at(0)["pass"], 3);
  EXPECT_LE(record["phases"].at(0)["ci95_s"].at(0), record["phases"].at(0)["median_s"]);
  EXPECT_TRUE(record["phases_from"] == "timed" || record["phases_from"] == "priming") << record["phases_from"];
  EXPECT_EQ(record["verification"]["ordered_by"], "bits 0 to 3, in each tile of 64");
  EXPECT_EQ(record["verification"]["tiles"], true);
  EXPECT_EQ(record["verification"]["stability"], true);
}

TEST_F(Components, AreCaughtWhenTheyAreWrong) {
  const Answer answer = bench("wrong");
  EXPECT_EQ(answer.status, 1);
  const ordered_json record = answer.lines().at(0);
  EXPECT_EQ(record["status"], "wrong");
  EXPECT_EQ(record["kind"], "component");
  EXPECT_FALSE(record.contains("samples_s"));
  EXPECT_NE(answer.error.find("planted/wrong u32/u32 separate n=1000"), std::string::npos) << answer.error;
}

TEST_F(Components, DeclineInWords) {
  const ordered_json record = bench("tiles", "none").lines().at(0);
  EXPECT_EQ(record["status"], "skipped");
  EXPECT_EQ(record["reason"], "is measured on pairs");
}

TEST_F(Components, AreNotMeasuredEndToEnd) {
  configure(R"({"name":"planted","component":"tiles"})");
  Case c = expand_sweeps(read_config(file("c.json")).sweeps).at(0).subject;
  EXPECT_EQ(refusal(c), std::nullopt);
  c.residency = Residency::end_to_end;
  EXPECT_EQ(refusal(c), "a component is measured where its algorithm sorts");
}

TEST_F(Components, AreCellsOfTheirOwn) {
  configure(R"("planted",{"name":"planted","component":"tiles"},{"name":"planted","component":"wrong"},)"
            R"({"name":"planted","component":"tiles","parameters":{"step":[1,2]}})");
  const std::vector<Cell> cells = expand_sweeps(read_config(file("c.json")).sweeps);
  ASSERT_EQ(cells.size(), 4U);  // step=1 gives one cell
  std::set<std::string> ids;
  for (const Cell& cell : cells) {
    ids.insert(cell_id(cell.subject));
    EXPECT_EQ(cell_id(case_from_json(to_json(cell.subject))), cell_id(cell.subject));
  }
  EXPECT_EQ(ids.size(), 4U);
  EXPECT_EQ(case_text(cells[0].subject), "planted u32/u32 separate n=1000 uniform threads=1 seed=1");
  EXPECT_EQ(case_text(cells[3].subject), "planted/tiles:step=2 u32/u32 separate n=1000 uniform threads=1 seed=1");
}

TEST_F(Components, ResumeAndCompareLikeSorts) {
  configure(R"({"name":"planted","component":"tiles"})");
  const std::string out = file("r.jsonl");
  EXPECT_NE(sortlab_with({"run", file("c.json"), "--out", out}).error.find("1 cells measured, 0 done before"),
            std::string::npos);
  EXPECT_NE(sortlab_with({"run", file("c.json"), "--out", out}).error.find("0 cells measured, 1 done before"),
            std::string::npos);
  EXPECT_EQ(read_records(out).records.back()["kind"], "component");
  const Answer compared = sortlab_with({"compare", out, out});
  EXPECT_NE(compared.out.find("planted/tiles"), std::string::npos) << compared.out << compared.error;
  EXPECT_EQ(sortlab_with({"predict", "--algorithm", "planted", "--component", "tiles", "--value", "u32"}).status, 2);
}

TEST_F(Components, UnknownOnesAreNamed) {
  const Answer answer = bench("tile");
  EXPECT_EQ(answer.status, 2);
  EXPECT_NE(answer.error.find("planted has no 'tile' (did you mean 'tiles'?); allowed: tiles, wrong"),
            std::string::npos)
      << answer.error;
  configure(R"({"name":"planted_sort","component":"tiles"})");
  const Answer none = sortlab_with({"run", file("c.json"), "--out", file("r.jsonl")});
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.error.find("algorithms[0].component: component: planted_sort has no 'tiles'; allowed: none"),
            std::string::npos)
      << none.error;
}

TEST_F(Components, AreListed) {
  const Answer answer = sortlab_with({"list", "components", "--json"});
  const ordered_json list = ordered_json::parse(answer.out);
  for (const ordered_json& entry : list) {
    for (const char* member : {"name", "algorithm", "title", "source", "postcondition"}) {
      EXPECT_FALSE(entry.at(member).get<std::string>().empty()) << entry;
    }
    EXPECT_NO_THROW(algorithm_named(entry["algorithm"].get<std::string>())) << entry;
  }
  EXPECT_GT(list.size(), 2U);
}

}  // namespace
}  // namespace sortlab

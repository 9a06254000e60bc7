// Measures each probe of the counting passes, lists and local sorts once, and predicts by the model that reads them.
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

/// Lines of a table's points that agree in all arguments but `argument`, ordered by it.
std::map<std::vector<double>, std::map<double, double>> along(const ProfileTable& table, const std::string& argument) {
  const auto place = std::ranges::find(table.arguments, argument) - table.arguments.begin();
  std::map<std::vector<double>, std::map<double, double>> lines;
  for (const ProfileTable::Point& point : table.points) {
    std::vector<double> others = point.at;
    others.erase(others.begin() + place);
    lines[others][point.at[static_cast<std::size_t>(place)]] = point.value;
  }
  return lines;
}

TEST_F(DeviceProbes, OfTheHybridRadixSortTakeAsLongAsTheirWork) {
  const auto tables = measured("stehle_hybrid_radix");
  for (const char* table : {"hybrid.count", "hybrid.scatter"}) {
    for (const auto& [others, line] : along(tables.at(table), "blocks")) {
      if (line.size() > 1) {
        EXPECT_GT(line.rbegin()->second, 3 * line.begin()->second) << table;
      }
    }
  }
  for (const auto& [others, line] : along(tables.at("hybrid.local"), "bits")) {
    const bool ranked = others[0] > 0;
    ASSERT_EQ(line.size(), 2U);
    if (!ranked) {
      EXPECT_GT(line.rbegin()->second, line.begin()->second);  // one pass per four bits
    }
  }
  for (const auto& [others, line] : along(tables.at("hybrid.local"), "keys")) {
    if (line.size() > 1) {
      EXPECT_GT(line.rbegin()->second, line.begin()->second);
    }
  }
  const auto& lists = tables.at("hybrid.list").points;
  EXPECT_GT(lists.at(1).value, lists.at(0).value);  // 65536 sub-buckets against 256
}

TEST_F(DeviceProbes, OfTheHybridRadixSortAreWhatItsModelReads) {
  MachineProfile profile{.id = "measured", .name = "Measured", .origin = "calibrated", .source = "this test"};
  profile.cores = query_device_facts(0).multiprocessors;
  for (const auto& [name, table] : measured("stehle_hybrid_radix")) profile.tables[name] = table;
  profile.cache_bytes = {{"L2", 6e7}};
  profile.tables["host_sync"] = constant({}, 1e-5);
  for (const char* stream : {"read", "copy"}) profile.tables[stream] = constant({"access_bytes", "bytes"}, 4e12);
  const Info& info = algorithm_named("stehle_hybrid_radix").info();
  for (const auto& [preset, given] : info.presets) {
    for (const KeyType key : {KeyType::u32, KeyType::u64}) {
      for (const ValueType value : {ValueType::none, key == KeyType::u32 ? ValueType::u32 : ValueType::u64}) {
        for (const char* distribution : {"uniform", "thearling:ands=3", "zipf"}) {
          SCOPED_TRACE(preset + " " + distribution);
          const Workload workload{.algorithm = info.name,
                                  .key = key,
                                  .value = value,
                                  .together = value != ValueType::none,
                                  .n = 1 << 24,
                                  .parameters = resolve(info.name, info.parameters, given)};
          const DistributionView view{parse_distribution(distribution), key, workload.n, 1};
          const Prediction prediction = model_named("stehle_hybrid_radix").predict(workload, view, profile);
          for (const PhasePrediction& phase : prediction.phases) EXPECT_GT(phase.seconds, 0) << phase.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sortlab::calibration

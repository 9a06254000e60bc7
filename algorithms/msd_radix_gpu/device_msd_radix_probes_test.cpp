// Measures each probe of the sort once, and predicts by the model that reads them.
#include "tests/models/papers/paper_models_test.hpp"
#include "tests/support/constant_table.hpp"
#include "tests/support/device_probe_test.hpp"

namespace sortlab::calibration {
namespace {

TEST_F(DeviceProbes, OfTheMsdRadixSortTakeAsLongAsTheirWork) {
  const auto tables = measured("msd_radix_gpu");
  // Only a sample of the keys that are left to splitters is read, however many keys there are.
  constexpr double kLeftToSplitters = 0.55;
  // The last argument is a size: among points that agree in all others, the larger must take longer.
  for (const char* table : {"msd.count", "msd.first", "msd.second", "msd.bucket", "msd.counted"}) {
    std::map<std::vector<double>, std::map<double, double>> lines;
    for (const ProfileTable::Point& point : tables.at(table).points) {
      std::vector<double> others = point.at;
      others.pop_back();
      lines[others][point.at.back()] = point.value;
    }
    for (const auto& [others, line] : lines) {
      if (line.size() > 1 && others.back() != kLeftToSplitters) {
        EXPECT_GT(line.rbegin()->second, line.begin()->second) << table;
      }
    }
  }
}

TEST_F(DeviceProbes, OfTheMsdRadixSortAreWhatItsModelReads) {
  MachineProfile profile{.id = "measured", .name = "Measured", .origin = "calibrated", .source = "this test"};
  profile.cores = query_device_facts(0).multiprocessors;
  for (const auto& [name, table] : measured("msd_radix_gpu")) profile.tables[name] = table;
  profile.cache_bytes = {{"L2", 6e7}};
  profile.tables["launch"] = constant({}, 2e-6);
  for (const char* stream : {"read", "copy"}) profile.tables[stream] = constant({"access_bytes", "bytes"}, 4e12);
  const Info& info = algorithm_named("msd_radix_gpu").info();
  for (const KeyType key : {KeyType::u32, KeyType::u64}) {
    for (const ValueType value : {ValueType::none, key == KeyType::u32 ? ValueType::u32 : ValueType::u64}) {
      for (const std::uint64_t n : {1 << 10, 1 << 16, 1 << 20, 1 << 22, 1 << 26}) {
        for (const char* distribution : {"uniform", "thearling:ands=3", "zipf", "constant", "few_distinct", "sorted"}) {
          SCOPED_TRACE(std::string{distribution} + " " + std::to_string(n));
          const Workload workload{.algorithm = info.name,
                                  .key = key,
                                  .value = value,
                                  .n = n,
                                  .parameters = resolve(info.name, info.parameters, {})};
          const DistributionView view{parse_distribution(distribution), key, workload.n, 1};
          const Prediction prediction = model_named("msd_radix_gpu").predict(workload, view, profile);
          for (const PhasePrediction& phase : prediction.phases) EXPECT_GT(phase.seconds, 0) << phase.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace sortlab::calibration

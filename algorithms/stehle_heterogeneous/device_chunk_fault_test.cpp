// Fails a chunk's sort on the device, through supervisor and workers: the failure costs the cell, and the next worker
// finds a working device. This program is its own worker (tests/support/main.cpp).
#include <gtest/gtest.h>

#include <map>

#include "harness/machine/gpu.hpp"
#include "tests/harness/run/planted_device_sorts.hpp"
#include "tests/support/measured_sorts.hpp"

namespace sortlab {
namespace {

// A sorter that fails from its second call on: in the second chunk, while copies go both ways.
const Plant well{"planted_well", make_planted_library_sort<Misbehaviour::none>};
const Plant address{"planted_illegal_address", make_planted_library_sort<Misbehaviour::illegal_address>};
const Plant launch{"planted_launch_failure", make_planted_library_sort<Misbehaviour::launch_failure>};
const Plant memory{"planted_out_of_memory", make_planted_library_sort<Misbehaviour::out_of_memory>};

/// The heterogeneous sort with an inner sort that its parameter does not offer.
class InChunks final : public Algorithm {
 public:
  explicit InChunks(std::string inside) : inside_(std::move(inside)) {
    info_.name = inside_ + "_in_chunks";
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.runs_on = Processor::both;
    info_.phases = {"copy_in", "sort", "copy_out", "merge"};
    info_.parallel = true;
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    const Algorithm& whole = algorithm_named("stehle_heterogeneous");
    Parameters parameters = resolve(whole.info().name, whole.info().parameters, {{"chunks", "4"}});
    parameters.set("sort", inside_);
    return whole.prepare(problem, parameters, resources);
  }

 private:
  std::string inside_;
  Info info_;
};

/// Registers InChunks for the life of the program.
struct PlantInChunks {
  explicit PlantInChunks(const std::string& inside)
      : digest(inside + "_in_chunks", "00000000000000aa"), algorithm(std::make_unique<InChunks>(inside)) {}
  RegisterBuildDigest digest;
  Register algorithm;
};
const PlantInChunks well_in_chunks{"planted_well"};
const PlantInChunks address_in_chunks{"planted_illegal_address"};
const PlantInChunks launch_in_chunks{"planted_launch_failure"};
const PlantInChunks memory_in_chunks{"planted_out_of_memory"};

const std::vector<std::string> kNames{"planted_illegal_address_in_chunks", "planted_launch_failure_in_chunks",
                                      "planted_out_of_memory_in_chunks", "planted_well_in_chunks"};

TEST(DeviceChunkFault, CostsItsCellOnly) {
  if (gpus_here().names.empty()) GTEST_SKIP() << "no GPU: " << gpus_here().reason;
  Sweep sweep = uniform_sweep(kNames);
  sweep.n = {100003};
  sweep.protocol.samples = 2;
  sweep.protocol.timeout_s = 10;
  std::map<std::string, CellResult> results = results_by_algorithm(sweep);
  ASSERT_EQ(results.size(), kNames.size());
  const std::vector<std::string> reasons{"illegal memory access", "cudaErrorInvalid", "out of memory"};
  for (std::size_t i = 0; i < reasons.size(); ++i) {
    const CellResult& result = results[kNames[i]];
    EXPECT_EQ(to_name(result.status), "failed") << kNames[i] << ": " << result.reason;
    EXPECT_NE(result.reason.find(reasons[i]), std::string::npos) << kNames[i] << ": " << result.reason;
    EXPECT_EQ(result.reason.find('\n'), std::string::npos) << result.reason;
  }
  const CellResult& sorted = results[kNames.back()];
  EXPECT_EQ(to_name(sorted.status), "ok") << sorted.reason;
  EXPECT_GE(sorted.samples.size(), 2U);  // twice as many at most, where other work on the machine disturbs them
}

}  // namespace
}  // namespace sortlab

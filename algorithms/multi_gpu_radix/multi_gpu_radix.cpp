#include <set>

#include "algorithms/multi_gpu_radix/nccl_library.hpp"
#include "algorithms/multi_gpu_radix/settings.hpp"

namespace sortlab {

[[gnu::weak]] std::unique_ptr<Sorter> make_multi_gpu_radix(const Problem&, const Parameters&, const Resources&);

namespace {

class MultiGpuRadix final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    if (make_multi_gpu_radix != nullptr) return std::nullopt;
    return "this build is without CUDA";
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    if (problem.shards.empty() || problem.shards.size() > multi_gpu::kMaxLanes) {
      return "sorts 1 to " + std::to_string(multi_gpu::kMaxLanes) + " shards, not " +
             std::to_string(problem.shards.size());
    }
    if (parameters.word("transport") == "nccl") {
      if (auto reason = multi_gpu::nccl_missing()) return "transport=nccl needs NCCL: " + *reason;
    }
    return std::nullopt;
  }

  bool stable(const Parameters& parameters) const override { return parameters.word("stable") == "yes"; }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    if (!resources.reaches_peers) {
      throw BadInput("multi_gpu_radix: needs access from each device to the memory of all others");
    }
    std::set<int> devices;
    for (const Lane& lane : resources.lanes) devices.insert(lane.device);
    if (parameters.word("transport") == "nccl" && devices.size() < resources.lanes.size()) {
      throw BadInput("multi_gpu_radix: transport=nccl needs a device for each shard; allowed: direct or copy");
    }
    return make_multi_gpu_radix(problem, parameters, resources);
  }

 private:
  Info info_{.name = "multi_gpu_radix",
             .title = "MSD radix sort on several GPUs: the first partition writes into the receivers' memory",
             .source = "ours; see its README",
             .family = "radix",
             .origin = Origin::ours,
             .runs_on = Processor::devices,
             .synchronises = true,
             .parameters = {{.name = "transport",
                             .meaning = "how elements reach the device that holds them in the result: written there by "
                                        "the partition; or partitioned first, then copied, or sent by NCCL",
                             .standard = std::string{"direct"},
                             .choices = choice_words(multi_gpu::kTransports)},
                            {.name = "stable",
                             .meaning = "yes: equal keys keep their order, shard by shard",
                             .standard = std::string{"no"},
                             .choices = {"no", "yes"}}},
             .phases = {"count", "partition", "exchange", "border", "local sort"}};
};

const Register registered{std::make_unique<MultiGpuRadix>()};

}  // namespace
}  // namespace sortlab

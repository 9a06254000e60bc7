// Model of the sort on several devices: each does its share of the phases that msd_radix_gpu has on all elements, the
// first partition slowed to the rate at which the link takes what it sends. The buckets of the later phases are those
// of all elements, since the first digit divides these and not a shard.
// Elements that were copied are sorted as any shard.
#include <algorithm>
#include <limits>

#include "algorithms/msd_radix_gpu/plan.hpp"
#include "algorithms/multi_gpu_radix/plan.hpp"
#include "core/bad_input.hpp"
#include "models/cost.hpp"
#include "models/coverage.hpp"

namespace sortlab {
namespace {

class ShardedRadix final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "multi_gpu_radix",
                                .title = "a share of each phase of msd_radix_gpu, its first partition over the link",
                                .source = "this project; algorithms/multi_gpu_radix/README.md",
                                .algorithms = {"multi_gpu_radix"},
                                .kind = ModelKind::component,
                                .family = "K, a partition into the memory of several devices"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& device) const override {
    require_parameters(info(), workload, {{"stable", "no"}});
    const auto transport = chosen("transport", workload.parameters.word("transport"), multi_gpu::kTransports);
    if (transport == multi_gpu::Transport::nccl) throw decline("no table has the rate of transport=nccl");
    if (workload.devices == 0) throw decline("shards on one device are for tests");
    const std::uint64_t shard = workload.n / static_cast<std::uint64_t>(workload.devices);
    const bool is_direct = transport == multi_gpu::Transport::direct;
    const Prediction whole = predict_on_one(workload, view, device, is_direct ? workload.n : shard);
    const double share = is_direct ? 1.0 / workload.devices : 1;
    const double keys_sent = static_cast<double>(shard) * (workload.devices - 1) / workload.devices;
    const auto element = static_cast<double>(byte_size(workload.key) + byte_size(workload.value));
    const double count_s = share * phase_seconds(whole, "count", 0);
    const double first = share * phase_seconds(whole, "partition", 0);
    double link_s = 0;
    if (workload.devices > 1) {
      const double rate =
          is_direct ? device.at("peer.write", {run_bytes(workload)}) : device.at("peer.copy", {keys_sent * element});
      link_s = keys_sent * element / rate;
    }

    std::vector<PhasePrediction> phases;
    const int passes = count_passes(workload, view);
    for (int pass = 0; pass < passes; ++pass) {
      phases.push_back({.name = "count", .pass = pass, .seconds = count_s, .binding = "memory"});
    }
    constexpr double kFull = std::numeric_limits<double>::infinity();
    if (!is_direct) phases.push_back({.name = "partition", .pass = 0, .seconds = first, .binding = "device"});
    phases.push_back(phase("exchange", 0,
                           {{"link", "bytes.link", keys_sent * element, link_s},
                            {"device", "bytes.moved", 2 * static_cast<double>(shard) * element, is_direct ? first : 0}},
                           kFull));
    const double done = is_direct ? first + count_s : 0;
    phases.push_back({.name = "local sort", .pass = 0, .seconds = share * whole.seconds - done, .binding = "device"});
    Prediction prediction = sequence(std::move(phases));
    prediction.basis = whole.basis;
    return prediction;
  }

 private:
  BadInput decline(const std::string& why) const { return BadInput(info().name + ": " + why); }

  /// The prediction of msd_radix_gpu for `n` elements on one device by its component model, as if it had the memory.
  Prediction predict_on_one(const Workload& workload, const DistributionView& view, const MachineProfile& device,
                            std::uint64_t n) const {
    const std::uint64_t shard = workload.n / static_cast<std::uint64_t>(workload.devices);
    const auto regime = msd_gpu::usual_regime(shard, byte_size(workload.key), byte_size(workload.value));
    if (regime != msd_gpu::Regime::partitions) throw decline("covers shards that msd_radix_gpu partitions twice");
    Workload local = workload;
    local.algorithm = "msd_radix_gpu";
    local.devices = 1;
    local.n = n;
    local.parameters = {};
    local.parameters.set("stable", std::string{"no"});
    local.parameters.set("regime", std::string{msd_gpu::regime_name(regime)});
    local.parameters.set("top_bits", std::int64_t{0});
    for (const Model* model : algorithm_models(local.algorithm)) {
      if (model->info().kind == ModelKind::component) return checked_prediction(*model, local, view, device);
    }
    throw decline("no model of kind component predicts " + local.algorithm);
  }

  static double phase_seconds(const Prediction& prediction, std::string_view name, int pass) {
    for (const PhasePrediction& phase : prediction.phases) {
      if (phase.name == name && phase.pass == pass) return phase.seconds;
    }
    return 0;
  }

  /// Mean length of a digit's run in a tile.
  static double run_bytes(const Workload& workload) {
    const std::uint32_t key = byte_size(workload.key), value = byte_size(workload.value);
    return static_cast<double>(multi_gpu::tile_elements(key, value)) / multi_gpu::kDigits * key;
  }

  /// Share of the keys that agree with `at` above the lowest `bits` bits. A sample has few of them: if they are about
  /// as many as their neighbours, these tell it.
  static double share_around(const std::vector<uint128>& sample, uint128 at, int bits) {
    constexpr int kWider = 5;
    const auto count = [&](int low) {
      return static_cast<double>(std::ranges::count_if(sample, [&](uint128 key) { return key >> low == at >> low; }));
    };
    const double alike = count(bits), expected = count(bits + kWider) / (1 << kWider);
    return (alike > 2 * expected + 10 ? alike : expected) / static_cast<double>(sample.size());
  }

  /// Passes until few enough keys lie around each cut, by the keys of the view.
  static int count_passes(const Workload& workload, const DistributionView& view) {
    const std::vector<uint128> keys = view.sorted();
    const int width = 8 * static_cast<int>(byte_size(workload.key));
    int passes = 1;
    for (int j = 1; j < workload.devices && !keys.empty(); ++j) {
      const uint128 at_cut =
          keys[keys.size() * static_cast<std::size_t>(j) / static_cast<std::size_t>(workload.devices)];
      for (int left = width - multi_gpu::kCounterBits, mine = 1; left > 0; left -= multi_gpu::kCounterBits, ++mine) {
        const double around = share_around(keys, at_cut, left) * static_cast<double>(workload.n);
        if (around <= static_cast<double>(multi_gpu::kMaxBorderKeys)) break;
        passes = std::max(passes, mine + 1);
      }
    }
    return passes;
  }
};

const RegisterModel registered{std::make_unique<ShardedRadix>()};

}  // namespace
}  // namespace sortlab

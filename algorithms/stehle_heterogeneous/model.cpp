// Two models of the heterogeneous sort: the paper's formula with its numbers, and the schedule on a simulated clock
// with the times of the link, of the inner sort by its model, and of the merge alone.
#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "algorithms/stehle_heterogeneous/plan.hpp"
#include "algorithms/stehle_hybrid_radix/plan.hpp"
#include "core/bad_input.hpp"
#include "models/cost.hpp"
#include "models/coverage.hpp"

namespace sortlab {
namespace {

using namespace heterogeneous;

double total_bytes(const Workload& workload) {
  return static_cast<double>(workload.n) * (byte_size(workload.key) + byte_size(workload.value));
}

/// STE-M9, section 5: T_H / s + max(T_H, T_S, T_D) + T_D / s + T_M.
class PapersFormula final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "STE-M9",
                                .title = "T_H / s + max(T_H, T_S, T_D) + T_D / s + T_M, copies at the paper's rate",
                                .source = "Stehle and Jacobsen 2017, sections 5 and 6.2",
                                .algorithms = {"stehle_heterogeneous"},
                                .kind = ModelKind::paper,
                                .family = "J, chunks on a device, merged by the host",
                                .papers_times = true};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView&, const MachineProfile& machine) const override {
    require_parameters(info(), workload, {{"sort", kPaperSort}, {"merge", "libstdcxx"}});
    if (byte_size(workload.key) != 8 || byte_size(workload.value) != 8) {
      throw BadInput(info().name + ": the paper's times are of 64-bit keys with 64-bit values");
    }
    constexpr double sort_rate = 35.7e9;       // B/s, section 6.1: 64/64, uniform
    constexpr double merge_rate = 64e9 / 9.3;  // B/s of input, section 6.2: 16 runs on six cores
    const auto chunks = static_cast<int>(workload.parameters.integer("chunks"));
    const double bytes = total_bytes(workload);
    const double copy = bytes / machine.at("bandwidth.host_to_device");  // the same back: our assumption
    const double sort = bytes / sort_rate;
    std::vector<PhasePrediction> phases{
        phase("copy_in", 0, {{"link", "bytes.link", bytes / chunks, copy / chunks}}, kTurns),
        phase("sort", 0, {{"link", "bytes.link", bytes, copy}, {"device", "bytes.sorted", bytes, sort}}, kFull),
        phase("copy_out", 0, {{"link", "bytes.link", bytes / chunks, copy / chunks}}, kTurns)};
    if (chunks > 1) {
      phases.push_back(phase("merge", 0, {{"merge", "bytes.merged", bytes, bytes / merge_rate}}, kTurns));
    }
    return sequence(std::move(phases));
  }

 private:
  static constexpr double kTurns = 1;
  static constexpr double kFull = std::numeric_limits<double>::infinity();
};

/// Family J: the schedule that the sort queues, run on a clock.
class Pipeline final : public Model {
 public:
  const ModelInfo& info() const override {
    static const ModelInfo info{.name = "stehle_heterogeneous",
                                .title = "the schedule of three lanes on a simulated clock, then the merge",
                                .source = "this project",
                                .algorithms = {"stehle_heterogeneous"},
                                .kind = ModelKind::component,
                                .family = "J, chunks on a device, merged by the host"};
    return info;
  }

  Prediction predict(const Workload& workload, const DistributionView& view,
                     const MachineProfile& machine) const override {
    require_parameters(info(), workload, {{"merge", "ours"}});
    const MachineProfile* const device = machine.device();
    if (device == nullptr) throw MissingQuantity("the profile of " + machine.name + " has no device");
    const Chunks chunks{workload.n, static_cast<int>(workload.parameters.integer("chunks"))};
    if (chunks.size() == 0) return {};
    const double element = byte_size(workload.key) + byte_size(workload.value);
    const double chunk_bytes = static_cast<double>(chunks.size()) * element;
    const int pieces = chunk_pieces(static_cast<std::uint64_t>(chunk_bytes));

    const auto rate = [&](double direction) { return device->at("link", {direction, kPinned, chunk_bytes / pieces}); };
    const double in = rate(0), out = rate(1), both = rate(2);
    const ChunkTimes times{.copy_in = chunk_bytes / in,
                           .sort = sort_seconds(workload, view, *device, chunks.size()),
                           .copy_out = chunk_bytes / out,
                           // Both ways at once, each at its share of the link's total rate.
                           .contention = std::max(1.0, (in + out) / both)};
    Prediction prediction = of_pipeline(chunks.count, pieces, times, chunk_bytes);
    if (chunks.count > 1) {
      const double seconds =
          static_cast<double>(workload.n) / workload.threads *
          machine.at("stehle_heterogeneous.merge",
                     {static_cast<double>(workload.threads), static_cast<double>(chunks.count),
                      static_cast<double>(byte_size(workload.key)), static_cast<double>(byte_size(workload.value))});
      prediction.phases.push_back(phase("merge", 0, {{"merge", "bytes.merged", total_bytes(workload), seconds}}, 1));
      prediction.seconds += seconds;
    }
    return prediction;
  }

 private:
  static constexpr double kPinned = 1;

  /// Phases as the sort reports them, of each chunk in each lane, from begin to end: they overlap, so their sum is
  /// meaningless.
  static Prediction of_pipeline(int chunks, int pieces, const ChunkTimes& times, double chunk_bytes) {
    constexpr std::array names{"copy_in", "sort", "copy_out"};
    const std::vector<Operation> operations = schedule(chunks, pieces);
    const std::vector<Span> spans = simulated(operations, pieces, times);
    Prediction prediction;
    std::array<double, kLanes> begun{};
    for (std::size_t i = 0; i < operations.size(); ++i) {
      const auto lane = static_cast<std::size_t>(operations[i].lane);
      const bool copies = operations[i].lane != Lane::sort;
      prediction.seconds = std::max(prediction.seconds, spans[i].end);
      if (operations[i].piece == 0) begun[lane] = spans[i].begin;
      if (copies && operations[i].piece + 1 < pieces) continue;
      prediction.phases.push_back({.name = names[lane],
                                   .pass = operations[i].chunk,
                                   .seconds = spans[i].end - begun[lane],
                                   .binding = copies ? "link" : "device",
                                   .work = {{copies ? "bytes.link" : "bytes.sorted", chunk_bytes}}});
    }
    return prediction;
  }

  /// Seconds by the inner sort's model: of the paper's form, or at the model's defaults, since a model does not know
  /// the plug-in.
  static double sort_seconds(const Workload& workload, const DistributionView& view, const MachineProfile& device,
                             std::uint64_t n) {
    const std::string& word = workload.parameters.word("sort");
    if (word != "cub_radix" && word != kHybridSort && word != kPaperSort) {
      throw BadInput("stehle_heterogeneous: predicts chunks that cub_radix or stehle_hybrid_radix sorts, not " + word);
    }
    const std::string sort = word == kPaperSort ? kHybridSort : word;
    Workload chunk = workload;
    chunk.algorithm = sort;
    chunk.n = n;
    chunk.threads = 1;
    chunk.parameters = {};
    if (word == kPaperSort) {
      for (const auto& [name, value] : hybrid_radix::kPaper) {
        const std::string text = value;
        const bool is_number = std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
        chunk.parameters.set(name, is_number ? Value{std::int64_t{std::stoi(text)}} : Value{text});
      }
      chunk.parameters.set("look_ahead_pairs", Value{std::string{"yes"}});
    }
    for (const Model* model : algorithm_models(sort)) {
      if (model->info().kind == ModelKind::component) return checked_prediction(*model, chunk, view, device).seconds;
    }
    throw BadInput("stehle_heterogeneous: no model of kind component predicts " + sort);
  }
};

const RegisterModel formula{std::make_unique<PapersFormula>()};
const RegisterModel pipeline{std::make_unique<Pipeline>()};

}  // namespace
}  // namespace sortlab

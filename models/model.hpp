// The contract of a performance model. A model reads a problem, a view of the input's distribution and a machine
// profile. Its kind says what it may know: only a fitted model knows times of the sort.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/key_types.hpp"
#include "core/parameters.hpp"
#include "models/distribution_view.hpp"
#include "models/machine_profile.hpp"
#include "models/model_kind.hpp"

namespace sortlab {

/// The problem as a model sees it.
struct Workload {
  std::string algorithm;
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  bool together = false;  ///< keys and values lie in one array
  std::uint64_t n = 0;    ///< elements
  int threads = 1;
  int devices = 1;        ///< devices that hold a shard of the input each; 0: all shards lie on one device
  Parameters parameters;  ///< the algorithm's, resolved
};

struct PhasePrediction {
  std::string name;
  int pass = 0;
  double seconds = 0;
  std::string binding{};  ///< the resource that binds: "memory", "scatter", "tlb", "issue" …
  /// Operations and bytes by level, in total: {"bytes.memory": 1.3e8}. models/README.md says which names are read.
  std::map<std::string, double> work{};
};

struct Prediction {
  double seconds = 0;
  std::vector<PhasePrediction> phases;
  std::string basis{};  ///< description of the input that it used; empty: the view's
};

/// Device that a model's constants were compiled or counted for. A profile that states another one is refused.
struct DeviceBasis {
  std::string compute_capability{};  ///< "9.0": blocks that a multiprocessor holds, and what its compiler emits
  double shared_bytes = 0;  ///< memory of a multiprocessor there, for profiles that do not state the capability
  std::string cub{};        ///< "3.0": the tiles that its sorts are compiled with
};

struct ModelInfo {
  std::string name;  ///< "satish_cpu_radix", "SAT-M4"
  std::string title;
  std::string source;                   ///< paper and section, or "this project"
  std::vector<std::string> algorithms;  ///< the plug-ins it predicts
  ModelKind kind;
  std::string family{};        ///< "A, one sweep a pass": sorts that work alike (models/README.md)
  bool papers_times = false;   ///< kind paper only: made from the paper's times of this sort, so no prediction
  DeviceBasis device_basis{};  ///< for a sort on a device
};

class Model {
 public:
  virtual ~Model() = default;
  virtual const ModelInfo& info() const = 0;
  /// Throws MissingQuantity if the profile lacks what the model needs, BadInput for a workload it does not cover.
  virtual Prediction predict(const Workload&, const DistributionView&, const MachineProfile&) const = 0;
};

struct RegisterModel {
  explicit RegisterModel(std::unique_ptr<Model> model);
};
const std::vector<const Model*>& all_models();  ///< sorted by name
/// True if the model was made from times of the sort that it predicts.
inline bool knows_times(const ModelInfo& info) {
  return info.kind == ModelKind::fitted || info.papers_times;
}
/// The models of `algorithm`: component models first, then hardware, paper and fitted ones.
std::vector<const Model*> algorithm_models(std::string_view algorithm);

/// Prediction of `model`. Throws BadInput if the profile describes another device than its constants, or if the model
/// declines; throws MissingQuantity.
Prediction checked_prediction(const Model& model, const Workload&, const DistributionView&, const MachineProfile&);

}  // namespace sortlab

// The contract of a performance model. A model reads a problem, a view of the input's distribution and a machine
// profile; never the time of a sort.
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

namespace sortlab {

/// The problem as a model sees it.
struct Workload {
  std::string algorithm;
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  bool together = false;  ///< keys and values lie in one array
  std::uint64_t n = 0;    ///< elements
  int threads = 1;
  Parameters parameters;  ///< the algorithm's, resolved
};

struct PhasePrediction {
  std::string name;
  int pass = 0;
  double seconds = 0;
  std::string binding{};                 ///< the resource that binds: "memory", "scatter", "tlb", "issue" …
  std::map<std::string, double> work{};  ///< operations and bytes by level, in total: {"bytes.memory": 1.3e8}
};

struct Prediction {
  double seconds = 0;
  std::vector<PhasePrediction> phases;
};

struct ModelInfo {
  std::string name;  ///< "satish_cpu_radix", "SAT-M4"
  std::string title;
  std::string source;                   ///< paper and section, or "this project"
  std::vector<std::string> algorithms;  ///< the plug-ins it predicts
  bool analytical = true;               ///< false: fitted to measured sort times
  std::string level{};  ///< A: micro-benchmarks of hardware only; B: with components (reference section 4.3)
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
const std::vector<const Model*>& all_models();  ///< by name
/// The models that predict `algorithm`, the analytical ones first.
std::vector<const Model*> models_of(std::string_view algorithm);

}  // namespace sortlab

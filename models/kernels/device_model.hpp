// A device sort's model in two versions (device_kernel.hpp): with the cycles of a tile measured, and derived from
// counts.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "models/kernels/device_kernel.hpp"
#include "models/kernels/operation_counts.hpp"

namespace sortlab {

class DeviceModel : public Model {
 public:
  const ModelInfo& info() const final { return info_; }

 protected:
  /// `info` for the model with counted tiles: named "<name>-counts" and of the kind given, which is hardware unless it
  /// also reads components. The one with measured tiles is of kind component.
  DeviceModel(Level level, ModelInfo info) : level_(level), info_(std::move(info)) {
    info_.device_basis.compute_capability = kCountedCapability;
    info_.device_basis.shared_bytes = kCountedSharedBytes;
    if (level == Level::operations) {
      info_.name += "-counts";
    } else {
      info_.kind = ModelKind::component;
    }
  }
  Level level() const { return level_; }

 private:
  Level level_;
  ModelInfo info_;
};

/// Registers a model, made as M(level, arguments…), both ways.
template <class M>
class RegisterLevels {
 public:
  template <class... Arguments>
  explicit RegisterLevels(const Arguments&... arguments)
      : tiles_(std::make_unique<M>(Level::tiles, arguments...)),
        operations_(std::make_unique<M>(Level::operations, arguments...)) {}

 private:
  RegisterModel tiles_;
  RegisterModel operations_;
};

}  // namespace sortlab

// A model of a sort on a device in its two levels (device_kernel.hpp), which differ in how a tile's cycles are known.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "models/device/device_kernel.hpp"

namespace sortlab {

class DeviceModel : public Model {
 public:
  const ModelInfo& info() const final { return info_; }

 protected:
  /// `info` but for its level; level A is named "<name>-A".
  DeviceModel(Level level, ModelInfo info) : level_(level), info_(std::move(info)) {
    info_.level = name_of(level);
    if (level == Level::operations) info_.name += "-A";
  }
  Level level() const { return level_; }

 private:
  Level level_;
  ModelInfo info_;
};

/// Registers a model, made as M(level, arguments…), in both levels.
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

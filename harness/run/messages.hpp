// The messages between supervisor and worker in JSON: blocks to the worker, events back.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "harness/measure/event.hpp"
#include "harness/measure/measure.hpp"

namespace sortlab {

nlohmann::ordered_json to_json(const BlockTask& task);
/// Throws the exceptions of nlohmann::json, and BadInput.
BlockTask task_from_json(const nlohmann::ordered_json& json);

nlohmann::ordered_json to_json(const WorkerEvent& event);
/// Throws the exceptions of nlohmann::json, and std::runtime_error for an unknown event.
WorkerEvent event_from_json(const nlohmann::ordered_json& json);

}  // namespace sortlab

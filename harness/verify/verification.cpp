#include "harness/verify/verification.hpp"

#include <nlohmann/json.hpp>

namespace sortlab {

using nlohmann::ordered_json;

ordered_json to_json(const Verification& v) {
  const auto optional = [](const std::optional<bool>& b) { return b ? ordered_json(*b) : ordered_json(); };
  ordered_json json{{"order", v.order},
                    {"multiset", v.multiset},
                    {"pairing", optional(v.pairing)},
                    {"stability", optional(v.stability)},
                    {"digest", v.digest}};
  if (!v.ordered_by.empty()) json["ordered_by"] = v.ordered_by;
  if (v.tiles) json["tiles"] = *v.tiles;
  return json;
}

Verification verification_from_json(const ordered_json& json) {
  const auto optional = [&](const char* field) {
    const auto found = json.find(field);
    return found == json.end() || found->is_null() ? std::optional<bool>{} : std::optional{found->get<bool>()};
  };
  Verification v;
  v.order = json.at("order");
  v.multiset = json.at("multiset");
  v.pairing = optional("pairing");
  v.stability = optional("stability");
  v.tiles = optional("tiles");
  v.ordered_by = json.value("ordered_by", "");
  v.digest = json.at("digest");
  return v;
}

}  // namespace sortlab

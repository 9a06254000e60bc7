// Validator of JSON by a JSON Schema, as far as the schemas under configs/schemas use the language: the part that draft
// 7 and draft 2020-12 share.
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <unordered_map>

namespace re2 {
class RE2;
}

namespace sortlab {

class JsonSchema {
 public:
  /// Throws std::logic_error for a keyword that is not supported, so that a schema cannot ask for more than is checked.
  explicit JsonSchema(nlohmann::ordered_json schema);
  JsonSchema(const JsonSchema&) = delete;
  JsonSchema& operator=(const JsonSchema&) = delete;
  ~JsonSchema();

  /// The first member of `value` that breaks the schema, with the allowed values, in words: "case.n: must be an integer
  /// from 0 to 9". Nullopt if none does.
  std::optional<std::string> fault(const nlohmann::ordered_json& value) const;

 private:
  class Check;
  void check_keywords(const nlohmann::ordered_json& schema);
  void check_keywords_within(const nlohmann::ordered_json& schemas);

  nlohmann::ordered_json schema_;
  std::map<std::string, std::unique_ptr<re2::RE2>> patterns_;
  std::unordered_map<std::string, const nlohmann::ordered_json*>
      definitions_;  ///< definition for each reference, "#/$defs/name"
};

}  // namespace sortlab

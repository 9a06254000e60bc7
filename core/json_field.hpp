// Reader of JSON written by people: every wrong type, unknown key or name is BadInput with file and path.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json_instances.hpp"
#include "core/names.hpp"
#include "core/parameters.hpp"

namespace sortlab {

/// A value inside a JSON file that knows its place: "configs/quick.json: sweeps[0].n[2]".
class JsonField {
 public:
  JsonField(const nlohmann::ordered_json& value, std::string where, std::string path = {})
      : value_(&value), file_(std::move(where)), path_(std::move(path)) {}

  const nlohmann::ordered_json& value() const { return *value_; }
  std::string where() const { return path_.empty() ? file_ : file_ + ": " + path_; }

  /// Throws BadInput unless this is an object with no keys but these.
  void only(const std::vector<std::string>& keys) const;
  /// The member `key` of an object, or nullopt.
  std::optional<JsonField> find(std::string_view key) const;
  /// The member `key`; BadInput if there is none.
  JsonField at(std::string_view key) const;
  /// The elements of a list that must not be empty.
  std::vector<JsonField> elements() const;
  /// The elements of a list that may be empty.
  std::vector<JsonField> list() const;
  /// The members of an object.
  std::vector<std::pair<std::string, JsonField>> members() const;

  std::string text() const;
  std::string word_among(const std::vector<std::string>& allowed) const;
  /// The value of E that this text names.
  template <Named E>
  E named() const {
    return *value_named<E>(word_among(all_names<E>()));
  }
  std::int64_t integer(std::int64_t smallest, std::int64_t largest) const;
  double number(double smallest, double largest) const;
  bool boolean() const;
  /// A number or a text, as text: 8, 0.75, "auto".
  std::string scalar() const;

  /// Throws BadInput: "WHERE: expected WHAT, not VALUE".
  [[noreturn]] void fail(std::string_view expected) const;
  /// Calls f(); a BadInput that it throws gets this place in front.
  template <class F>
  decltype(auto) located(F&& f) const {
    try {
      return f();
    } catch (const BadInput& error) {
      throw BadInput(where() + ": " + error.what());
    }
  }

 private:
  const nlohmann::ordered_json* value_;
  std::string file_;
  std::string path_;
};

/// Parses a JSON file. Throws BadInput in one line if it cannot be read, is empty or is not JSON.
nlohmann::ordered_json read_json_file(const std::filesystem::path& path);

}  // namespace sortlab

#include "models/machine_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "core/json_field.hpp"
#include "core/parameters.hpp"
#include "core/replace_file.hpp"
#include "models/element_widths.hpp"
#include "models/quantity_range.hpp"
#include "models/table_kind.hpp"
#include "models/table_log.hpp"
#include "models/table_units.hpp"
#include "models/unit_machine.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kLargest = 1e30;  // argument, or bound of an interval

/// The unit of a table, with the values that it allows.
UnitRange read_unit(const JsonField& field) {
  const std::optional<UnitRange> range = unit_range(field.text());
  if (range) return *range;
  std::vector<std::string> units;
  for (const UnitRange& known : kUnitRanges) {
    units.push_back(fmt::format("{}{}", known.unit, known.unit.ends_with('/') ? "…" : ""));
  }
  field.fail(fmt::format("one of {}", join(units)));
}

double read_value(const JsonField& field, const UnitRange& unit) {
  const double value = field.number(unit.least, unit.most);
  if (value != 0 && value < kSmallestQuantity) field.fail(fmt::format("0 or a number from {:g} on", kSmallestQuantity));
  return value;
}

/// A text that is not empty.
std::string some_text(const JsonField& field) {
  std::string text = field.text();
  if (text.empty()) field.fail("a text that is not empty");
  return text;
}

ProfileTable read_table(const JsonField& field, std::string_view name, bool on_device) {
  field.only({"unit", "source", "kind", "arguments", "points"});
  const UnitRange range = read_unit(field.at("unit"));
  const auto unit = unit_of_table(name, on_device);
  if (unit && field.at("unit").text() != *unit) field.at("unit").fail(*unit);
  ProfileTable table{
      .unit = field.at("unit").text(), .source = field.at("source").text(), .arguments = {}, .points = {}};
  if (const auto kind = field.find("kind")) table.kind = kind->word_among({"hardware", "component"});
  for (const JsonField& argument : field.at("arguments").list()) table.arguments.push_back(some_text(argument));
  for (const JsonField& from : field.at("points").elements()) {
    from.only({"at", "value", "ci95"});
    ProfileTable::Point point{.at = {}, .value = read_value(from.at("value"), range), .ci95 = {}};
    for (const JsonField& argument : from.at("at").list()) point.at.push_back(argument.number(0, kLargest));
    if (point.at.size() != table.arguments.size()) {
      from.at("at").fail(fmt::format("a list of {} numbers, one an argument", table.arguments.size()));
    }
    if (std::ranges::find(table.points, point.at, &ProfileTable::Point::at) != table.points.end()) {
      from.at("at").fail("each point of a table once");
    }
    if (const auto ci95 = from.find("ci95")) {
      const std::vector<JsonField> bounds = ci95->list();
      if (bounds.size() != 2) ci95->fail("a list of two numbers");
      const auto bound = [&](std::size_t i) { return bounds[i].number(-kLargest, kLargest); };
      point.ci95 = {bound(0), bound(1)};
      if (point.ci95->first > point.value || point.value > point.ci95->second)
        ci95->fail("two numbers around the value");
    }
    table.points.push_back(std::move(point));
  }
  return table;
}

Json point_json(const ProfileTable::Point& point) {
  Json json{{"at", point.at}, {"value", point.value}};
  if (point.ci95) json["ci95"] = {point.ci95->first, point.ci95->second};
  return json;
}

/// FNV-1a, 64 bits: an identity, not a protection.
std::string digest(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  return fmt::format("{:016x}", hash);
}

using Points = std::vector<const ProfileTable::Point*>;

/// The scale on which a quantity is roughly linear: the logarithm of a size; the reciprocal of a buffer's lines, since
/// part of an element's cost is its share of flushing a buffer.
double (*scale_of(std::string_view argument, double least))(double) {
  if (argument.ends_with("bytes") && least > 0) return [](double at) { return std::log(at); };  // no value has 0 bytes
  if (argument == "lines") return [](double at) { return 1 / at; };
  return [](double at) { return at; };
}

/// True if an argument requests the largest point of a table, whatever that is.
bool asks_for_largest(std::string_view argument, double wanted) {
  return (argument.ends_with("bytes") && wanted >= kBeyondCaches) || (argument == "entropy" && wanted >= kFullEntropy);
}

/// Interpolates along argument `axis`, and along the later ones within the slices on both sides of it. `reading` is
/// raised to how far from points that is.
double interpolate(const ProfileTable& table, const Points& points, std::span<const double> arguments, std::size_t axis,
                   Reading& reading) {
  if (axis == arguments.size()) return points.front()->value;
  const double wanted = arguments[axis];
  std::optional<double> below;
  std::optional<double> above;
  for (const auto* point : points) {
    const double at = point->at[axis];
    if (at <= wanted && (!below || at > *below)) below = at;
    if (at >= wanted && (!above || at < *above)) above = at;
  }
  const auto slice = [&](double at) {
    Points chosen;
    std::ranges::copy_if(points, std::back_inserter(chosen), [&](const auto* point) { return point->at[axis] == at; });
    return interpolate(table, chosen, arguments, axis + 1, reading);
  };
  if (!below || !above) {
    if (!asks_for_largest(table.arguments[axis], wanted)) reading = Reading::extrapolated;
    return slice(below ? *below : *above);
  }
  if (*below == *above) return slice(*below);
  reading = std::max(reading, Reading::interpolated);
  const auto scaled = scale_of(table.arguments[axis], *below);
  const double share = (scaled(wanted) - scaled(*below)) / (scaled(*above) - scaled(*below));
  const double low = slice(*below);
  return low + share * (slice(*above) - low);
}

/// Interpolates, and estimates elements of a width that no point has (element_widths.hpp).
double at_width(const ProfileTable& table, std::span<const double> arguments, Reading& reading) {
  Points points;
  for (const auto& point : table.points) points.push_back(&point);
  const auto place = [&](std::string_view name) {
    return static_cast<std::size_t>(std::ranges::find(table.arguments, name) - table.arguments.begin());
  };
  const std::size_t key = place("key_bytes"), value = place("value_bytes");
  const auto is_measured = [&](const auto* point) {
    return point->at[key] == arguments[key] && (value == arguments.size() || point->at[value] == arguments[value]);
  };
  if (key == arguments.size() || std::ranges::any_of(points, is_measured)) {
    return interpolate(table, points, arguments, 0, reading);
  }
  const auto terms = width_terms(arguments[key], value == arguments.size() ? 0 : arguments[value]);
  if (terms.size() > 1) reading = Reading::extrapolated;
  std::vector<double> of{arguments.begin(), arguments.end()};
  return estimate(terms, [&](double key_bytes, double value_bytes) {
    of[key] = key_bytes;
    if (value < of.size()) of[value] = value_bytes;
    return interpolate(table, points, of, 0, reading);
  });
}

}  // namespace

const MachineProfile* MachineProfile::device() const {
  if (!devices.empty()) return &devices.front();
  const auto shared = std::ranges::find(cache_bytes, "shared", &std::pair<std::string, double>::first);
  return origin == "paper" || shared != cache_bytes.end() ? this : nullptr;
}

double MachineProfile::at(std::string_view quantity, std::initializer_list<double> arguments) const {
  return at(quantity, std::span{arguments.begin(), arguments.size()});
}

double MachineProfile::at(std::string_view quantity, std::span<const double> arguments) const {
  const auto found = tables.find(quantity);
  if (found == tables.end()) {
    if (origin == kOriginOfUnits) return 1;
    if (origin == kScaledOrigin) {
      throw MissingQuantity(fmt::format("the profile of {} is scaled, and no rule scales '{}'", name, quantity));
    }
    throw MissingQuantity(fmt::format("the profile of {} has no quantity '{}'{}", name, quantity,
                                      origin == "calibrated" ? "; `sortlab calibrate` measures what is missing" : ""));
  }
  const ProfileTable& table = found->second;
  if (table.arguments.size() != arguments.size()) {
    throw MissingQuantity(fmt::format(
        "quantity '{}' of the profile of {} takes {} arguments, not {}: it is of another version, calibrate again",
        quantity, name, table.arguments.size(), arguments.size()));
  }
  Reading reading = Reading::exact;
  const double value = at_width(table, arguments, reading);
  if (log != nullptr) log->note(quantity, table_kind(*this, quantity, table), table, arguments, reading);
  return value;
}

double MachineProfile::cache(std::string_view level) const {
  const auto found = std::ranges::find(cache_bytes, level, &std::pair<std::string, double>::first);
  if (found == cache_bytes.end()) {
    throw MissingQuantity(fmt::format("the profile of {} does not state cache {}", name, level));
  }
  return found->second;
}

MachineProfile unit_machine() {
  MachineProfile machine{.id = "units", .name = "units", .origin = std::string{kOriginOfUnits}, .source = ""};
  machine.clock_hz = 1;
  return machine;
}

nlohmann::ordered_json to_json(const MachineProfile& profile) {
  Json caches = Json::object();
  for (const auto& [level, bytes] : profile.cache_bytes) caches[level] = bytes;
  Json tables = Json::object();
  for (const auto& [name, table] : profile.tables) {
    Json points = Json::array();
    for (const auto& point : table.points) points.push_back(point_json(point));
    Json& json = tables[name] = Json{{"unit", table.unit}, {"source", table.source}};
    if (!table.kind.empty()) json["kind"] = table.kind;
    json["arguments"] = table.arguments;
    json["points"] = std::move(points);
  }
  Json json{{"schema", 1},
            {"kind", "profile"},
            {"id", profile.id},
            {"name", profile.name},
            {"origin", profile.origin},
            {"source", profile.source},
            {"clock_hz", profile.clock_hz},
            {"cores", profile.cores},
            {"cache_bytes", std::move(caches)},
            {"memory_bytes", profile.memory_bytes}};
  if (!profile.compute_capability.empty()) json["compute_capability"] = profile.compute_capability;
  if (!profile.libraries.empty()) json["libraries"] = profile.libraries;
  if (!profile.base.empty()) json["base"] = profile.base;
  if (!profile.factors.empty()) json["factors"] = profile.factors;
  json["tables"] = std::move(tables);
  if (!profile.devices.empty()) {
    Json devices = Json::array();
    for (const MachineProfile& device : profile.devices) devices.push_back(to_json(device));
    json["devices"] = std::move(devices);
  }
  return json;
}

void set_hash(MachineProfile& profile) {
  profile.hash = digest(to_json(profile).dump());
}

namespace {

constexpr std::string_view kDigits = "0123456789", kLowerAndDigits = "abcdefghijklmnopqrstuvwxyz0123456789";

/// The number of words of `characters` in a text that joins them by single `joints`; 0 for any other text.
int words_in(std::string_view text, std::string_view characters, std::string_view joints) {
  for (int words = 1;; ++words) {
    const std::size_t end = std::min(text.find_first_not_of(characters), text.size());
    if (end == 0) return 0;
    if (end == text.size()) return words;
    if (joints.find(text[end]) == std::string_view::npos) return 0;
    text.remove_prefix(end + 1);
  }
}

/// Reads a machine's id, which is part of file names.
std::string read_id(const JsonField& field) {
  std::string id = field.text();
  if (words_in(id, kLowerAndDigits, "_-") == 0)
    field.fail("lower-case letters and digits, joined by single '_' or '-'");
  return id;
}

std::string read_compute_capability(const JsonField& field) {
  std::string version = field.text();
  if (words_in(version, kDigits, ".") != 2) field.fail("two numbers as in \"9.0\"");
  return version;
}

/// Reads a device, which has no devices of its own, or a machine, which may have some.
MachineProfile read_machine(const JsonField& from, bool is_device) {
  std::vector<std::string> members{"schema",
                                   "kind",
                                   "id",
                                   "name",
                                   "origin",
                                   "source",
                                   "clock_hz",
                                   "cores",
                                   "cache_bytes",
                                   "memory_bytes",
                                   "compute_capability",
                                   "libraries",
                                   "tables"};
  if (!is_device) members.insert(members.end(), {"devices", "base"});
  from.only(members);
  from.at("kind").word_among({"profile"});
  from.at("schema").integer(1, 1);
  MachineProfile profile;
  profile.id = read_id(from.at("id"));
  profile.name = some_text(from.at("name"));
  profile.origin = from.at("origin").word_among({"paper", "calibrated", "fitted", std::string{kDatasheetOrigin}});
  profile.source = some_text(from.at("source"));
  const double slowest = profile.origin == "fitted" ? 0 : 1e6;  // coefficients have no clock
  profile.clock_hz = from.at("clock_hz").number(slowest, 1e12);
  profile.cores = static_cast<int>(from.at("cores").integer(1, 1'000'000));
  for (const auto& [level, bytes] : from.at("cache_bytes").members()) {
    profile.cache_bytes.emplace_back(level, bytes.number(1024, 1e15));
  }
  const JsonField memory = from.at("memory_bytes");
  profile.memory_bytes = memory.number(0, 1e18);  // 0: a paper does not state it
  if (profile.memory_bytes > 0 && profile.memory_bytes < 1e6) memory.fail("0 or a number from 1e+06 to 1e+18");
  if (profile.origin == kDatasheetOrigin) profile.base = some_text(from.at("base"));
  if (const auto version = from.find("compute_capability")) {
    profile.compute_capability = read_compute_capability(*version);
  }
  if (const auto libraries = from.find("libraries")) {
    for (const auto& [name, version] : libraries->members()) profile.libraries.emplace(name, some_text(version));
  }
  for (const auto& [name, table] : from.at("tables").members()) {
    profile.tables.emplace(name, read_table(table, name, is_device));
  }
  if (const auto devices = from.find("devices")) {
    for (const JsonField& device : devices->elements()) profile.devices.push_back(read_machine(device, true));
  }
  set_hash(profile);
  return profile;
}

/// Writes a profile as JSON with one point of a table per line. The closing brace is left to the caller.
std::string open_object(Json json) {
  const Json tables = std::move(json["tables"]);
  json.erase("tables");
  json.erase("devices");
  std::string text = json.dump(2);
  text.resize(text.size() - 2);  // reopens the object
  text += ",\n  \"tables\": {";
  const char* between_tables = "\n";
  for (const auto& [name, table] : tables.items()) {
    text += fmt::format("{}    {}: {{", between_tables, Json(name).dump());
    for (const auto& [member, value] : table.items()) {
      if (member != "points") text += fmt::format("{}: {}, ", Json(member).dump(), value.dump());
    }
    text += "\"points\": [";
    const char* between_points = "\n";
    for (const Json& point : table["points"]) {
      text += fmt::format("{}      {}", between_points, point.dump());
      between_points = ",\n";
    }
    text += "]}";
    between_tables = ",\n";
  }
  return text + "\n  }";
}

}  // namespace

MachineProfile read_profile(const std::string& path) {
  const Json json = read_json_file(path);
  return read_machine(JsonField{json, path}, false);
}

void write_profile(MachineProfile& profile, const std::string& path) {
  for (MachineProfile& device : profile.devices) set_hash(device);
  set_hash(profile);

  std::string text = open_object(to_json(profile));
  const char* between_devices = ",\n  \"devices\": [\n";
  for (const MachineProfile& device : profile.devices) {
    text += fmt::format("{}{}\n}}", between_devices, open_object(to_json(device)));
    between_devices = ",\n";
  }
  if (!profile.devices.empty()) text += "]";
  text += "\n}\n";

  replace_file(path, text);
}

}  // namespace sortlab

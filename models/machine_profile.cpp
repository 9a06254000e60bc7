#include "models/machine_profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>

#include "core/parameters.hpp"
#include "core/parse_json.hpp"
#include "models/table_kind.hpp"
#include "models/table_log.hpp"

namespace sortlab {
namespace {

using Json = nlohmann::ordered_json;

/// One place in a profile's file, so that every complaint names it.
class Field {
 public:
  Field(const Json& json, std::string file, std::string path = {})
      : json_(json), file_(std::move(file)), path_(std::move(path)) {}

  Field operator[](const char* name) const {
    require(json_.is_object() && json_.contains(name), fmt::format("has no '{}'", name));
    return {json_[name], file_, path_.empty() ? name : path_ + "." + name};
  }
  bool contains(const char* name) const { return json_.is_object() && json_.contains(name); }

  double number() const {
    require(json_.is_number(), "expected a number");
    return json_.get<double>();
  }
  double number(double smallest, double largest) const {
    const double given = number();
    require(given >= smallest && given <= largest,
            fmt::format("expected a number from {:g} to {:g}, not {:g}", smallest, largest, given));
    return given;
  }
  int integer(int smallest, int largest) const {
    const double given = number(smallest, largest);
    require(given == std::floor(given), fmt::format("expected an integer from {} to {}", smallest, largest));
    return static_cast<int>(given);
  }
  std::string text() const {
    require(json_.is_string(), "expected a string");
    return json_.get<std::string>();
  }
  std::string one_of(const std::vector<std::string>& allowed) const {
    std::string given = text();
    require(std::ranges::find(allowed, given) != allowed.end(), "expected one of " + join(allowed));
    return given;
  }
  std::vector<Field> elements() const {
    require(json_.is_array(), "expected an array");
    std::vector<Field> fields;
    for (std::size_t i = 0; i < json_.size(); ++i)
      fields.emplace_back(json_[i], file_, fmt::format("{}[{}]", path_, i));
    return fields;
  }
  std::vector<std::pair<std::string, Field>> members() const {
    require(json_.is_object(), "expected an object");
    std::vector<std::pair<std::string, Field>> fields;
    for (const auto& [name, value] : json_.items()) fields.emplace_back(name, Field{value, file_, path_ + "." + name});
    return fields;
  }
  void require(bool holds, const std::string& complaint) const {
    if (!holds) throw BadInput(fmt::format("{}: {}: {}", file_, path_.empty() ? "the profile" : path_, complaint));
  }

 private:
  const Json& json_;
  std::string file_;
  std::string path_;
};

// Far beyond every machine, and near enough to 1 that no product of a few leaves the doubles.
constexpr double kSmallest = 1e-30;
constexpr double kLargest = 1e30;

/// A quantity's value. A rate divides, and so is above 0; a cost that is the difference of two measured ones (counting
/// keys while copying them) may by noise come out at 0 or a little below.
double read_value(const Field& field, std::string_view unit) {
  if (unit.ends_with("/s")) return field.number(kSmallest, kLargest);
  const double value = field.number(-kLargest, kLargest);
  field.require(value == 0 || std::abs(value) >= kSmallest,
                fmt::format("expected 0 or a number from {:g} on, not {:g}", kSmallest, value));
  return value;
}

ProfileTable read_table(const Field& field) {
  ProfileTable table{.unit = field["unit"].text(), .source = field["source"].text(), .arguments = {}, .points = {}};
  if (field.contains("kind")) {
    table.kind = field["kind"].text();
    field.require(table.kind == "hardware" || table.kind == "component", "'kind' must be 'hardware' or 'component'");
  }
  for (const Field& argument : field["arguments"].elements()) table.arguments.push_back(argument.text());
  for (const Field& from : field["points"].elements()) {
    ProfileTable::Point point{.at = {}, .value = read_value(from["value"], table.unit), .ci95 = {}};
    for (const Field& argument : from["at"].elements()) point.at.push_back(argument.number(0, kLargest));
    from.require(point.at.size() == table.arguments.size(),
                 fmt::format("'at' must hold {} numbers", table.arguments.size()));
    if (from.contains("ci95")) {
      const std::vector<Field> bounds = from["ci95"].elements();
      from.require(bounds.size() == 2, "'ci95' must hold two numbers");
      point.ci95 = {bounds[0].number(-kLargest, kLargest), bounds[1].number(-kLargest, kLargest)};
    }
    table.points.push_back(std::move(point));
  }
  field.require(!table.points.empty(), "has no points");
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

/// In what a quantity is about linear: the logarithm of a size; the reciprocal of a buffer's lines, since a part of
/// what an element takes is its share of emptying a buffer.
double (*scale_of(std::string_view argument, double least))(double) {
  if (argument.ends_with("bytes") && least > 0) return [](double at) { return std::log(at); };  // no value has 0 bytes
  if (argument == "lines") return [](double at) { return 1 / at; };
  return [](double at) { return at; };
}

/// Whether an argument asks for the largest point of a table, whatever that is.
bool asks_for_largest(std::string_view argument, double wanted) {
  return (argument.ends_with("bytes") && wanted >= 1e12) || (argument == "entropy" && wanted >= 64);
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
    throw MissingQuantity(fmt::format("the profile of {} has no quantity '{}'", name, quantity));
  }
  const ProfileTable& table = found->second;
  if (table.arguments.size() != arguments.size()) {
    throw MissingQuantity(fmt::format(
        "quantity '{}' of the profile of {} takes {} arguments, not {}: it is of another version, calibrate again",
        quantity, name, table.arguments.size(), arguments.size()));
  }
  Points points;
  for (const auto& point : table.points) points.push_back(&point);
  Reading reading = Reading::exact;
  const double value = interpolate(table, points, arguments, 0, reading);
  if (log != nullptr) log->note(quantity, kind_of(*this, quantity, table), table, arguments, reading);
  return value;
}

double MachineProfile::cache(std::string_view level) const {
  const auto found = std::ranges::find(cache_bytes, level, &std::pair<std::string, double>::first);
  if (found == cache_bytes.end()) {
    throw MissingQuantity(fmt::format("the profile of {} does not state cache {}", name, level));
  }
  return found->second;
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
  json["tables"] = std::move(tables);
  if (!profile.devices.empty()) {
    Json devices = Json::array();
    for (const MachineProfile& device : profile.devices) devices.push_back(to_json(device));
    json["devices"] = std::move(devices);
  }
  return json;
}

namespace {

MachineProfile read_machine(const Field& from) {
  from.require(from["kind"].text() == "profile", "'kind' must be 'profile'");
  from["schema"].number(1, 1);
  MachineProfile profile;
  profile.id = from["id"].text();
  profile.name = from["name"].text();
  profile.origin = from["origin"].one_of({"paper", "calibrated", "fitted"});
  profile.source = from["source"].text();
  profile.clock_hz = from["clock_hz"].number(profile.origin == "fitted" ? 0 : 1e6, 1e12);  // coefficients have no clock
  profile.cores = from["cores"].integer(1, 1'000'000);
  for (const auto& [level, bytes] : from["cache_bytes"].members()) {
    profile.cache_bytes.emplace_back(level, bytes.number(1, 1e18));
  }
  profile.memory_bytes = from["memory_bytes"].number(0, 1e18);  // 0: a paper does not state it
  if (from.contains("compute_capability")) profile.compute_capability = from["compute_capability"].text();
  if (from.contains("libraries")) {
    for (const auto& [name, version] : from["libraries"].members()) profile.libraries.emplace(name, version.text());
  }
  for (const auto& [name, table] : from["tables"].members()) profile.tables.emplace(name, read_table(table));
  if (from.contains("devices")) {
    for (const Field& device : from["devices"].elements()) {
      device.require(!device.contains("devices"), "a device has no devices of its own");
      profile.devices.push_back(read_machine(device));
    }
  }
  profile.hash = digest(to_json(profile).dump());
  return profile;
}

/// A profile's object as its file shows it: one point a line, without the brace that ends it.
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
  const std::optional<std::string> text = read_json_text(path);
  if (!text) throw BadInput(fmt::format("machine: cannot read '{}'", path));
  Json json;
  try {
    json = parse_json(*text);
  } catch (const JsonError& error) {
    throw BadInput(fmt::format("machine: '{}' {}{}", path, error.byte() ? "is " : "", error.what()));
  }
  return read_machine(Field{json, path});
}

void write_profile(MachineProfile& profile, const std::string& path) {
  for (MachineProfile& device : profile.devices) device.hash = digest(to_json(device).dump());
  profile.hash = digest(to_json(profile).dump());

  std::string text = open_object(to_json(profile));
  const char* between_devices = ",\n  \"devices\": [\n";
  for (const MachineProfile& device : profile.devices) {
    text += fmt::format("{}{}\n}}", between_devices, open_object(to_json(device)));
    between_devices = ",\n";
  }
  if (!profile.devices.empty()) text += "]";
  text += "\n}\n";

  const std::filesystem::path target{path};
  if (target.has_parent_path()) std::filesystem::create_directories(target.parent_path());
  std::ofstream file{target, std::ios::trunc};
  file << text;
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write '{}'", path));
}

}  // namespace sortlab

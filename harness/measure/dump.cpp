#include "harness/measure/dump.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "core/record.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/cell_id.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/measure/npy.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

constexpr std::uint64_t kChunk = std::uint64_t{16} << 20;  ///< bytes copied at a time

/// A field of the elements of an array.
struct Field {
  std::uint64_t stride = 0;  ///< bytes of an element
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct Fields {
  Field key;
  Field value;  ///< a field of the array of keys if pairs lie together
};

Fields element_fields(const Case& c) {
  const Field key{byte_size(c.key), 0, byte_size(c.key)};
  const Field value{byte_size(c.value), 0, byte_size(c.value)};
  if (c.value == ValueType::none || c.layout == Layout::separate) return {key, value};
  return with_key_type(c.key, [&]<class K>() {
    return with_value_type(c.value, [&]<class V>() -> Fields {
      if constexpr (std::is_same_v<V, NoValue>) {
        return {};
      } else {
        using Both = Pair<K, V>;
        return {{sizeof(Both), offsetof(Both, key), sizeof(K)}, {sizeof(Both), offsetof(Both, value), sizeof(V)}};
      }
    });
  });
}

std::string_view npy_type(KeyType key) {
  switch (key) {
    case KeyType::u32: return "<u4";
    case KeyType::i32: return "<i4";
    case KeyType::i64: return "<i8";
    case KeyType::f32: return "<f4";
    case KeyType::f64: return "<f8";
    default: return "<u8";
  }
}

class Dump {
 public:
  Dump(std::filesystem::path folder, const Case& c, Testbed& testbed)
      : folder_(std::move(folder)), case_(c), testbed_(testbed) {}

  /// Writes the arrays of "input" or "output". Returns the names of their files.
  ordered_json side(const std::string& name, const Buffers& buffers) {
    side_ = name;
    files_ = ordered_json::object();
    if (case_.key == KeyType::string) {
      strings(buffers);
      return files_;
    }
    const Fields fields = element_fields(case_);
    const int columns = case_.key == KeyType::u128 ? 2 : 1;
    NpyFile keys = file("keys", npy_type(case_.key), case_.n, columns);
    field(keys, buffers.keys, fields.key);
    if (case_.value == ValueType::none) return files_;
    NpyFile values = file("values", case_.value == ValueType::u32 ? "<u4" : "<u8", case_.n);
    field(values, case_.layout == Layout::separate ? buffers.values : buffers.keys, fields.value);
    return files_;
  }

 private:
  NpyFile file(const std::string& what, std::string_view type, std::uint64_t rows, int columns = 1) {
    const std::string name = fmt::format("{}.{}.{}.npy", cell_id(case_), side_, what);
    files_[what] = name;
    return {folder_ / name, type, rows, columns};
  }

  /// Writes a field chunk by chunk, so that an array that fills a device's memory needs little host memory.
  void field(NpyFile& to, const Array& array, const Field& field) {
    const std::uint64_t most = kChunk / field.stride;
    std::vector<std::uint8_t> chunk(std::min(most, array.count) * field.stride);
    for (std::uint64_t begin = 0; begin < array.count; begin += most) {
      const std::uint64_t count = std::min(most, array.count - begin);
      testbed_.copy_to_host(chunk.data(), static_cast<const std::uint8_t*>(array.data) + begin * field.stride,
                            count * field.stride);
      if (field.bytes != field.stride) {
        for (std::uint64_t i = 0; i < count; ++i) {
          std::memmove(&chunk[i * field.bytes], &chunk[i * field.stride + field.offset], field.bytes);
        }
      }
      to.write(chunk.data(), count * field.bytes);
    }
    to.close();
  }

  /// Writes strings. Their records are in host memory.
  void strings(const Buffers& buffers) {
    const auto bytes = buffers.bytes.as<const std::uint8_t>();
    const auto records = buffers.keys.as<const Record>();
    const auto part = [&](const std::string& what, const std::string& offsets, auto part_first, auto length_of) {
      std::vector<std::uint64_t> ends{0};
      for (const Record& r : records) ends.push_back(ends.back() + length_of(r));
      NpyFile text = file(what, "|u1", ends.back());
      for (const Record& r : records) text.write(bytes.data() + part_first(r), length_of(r));
      text.close();
      NpyFile places = file(offsets, "<u8", ends.size());
      places.write(ends.data(), ends.size() * sizeof ends[0]);
      places.close();
    };
    part(
        "keys", "offsets", [](const Record& r) { return r.offset; }, [](const Record& r) { return r.key_bytes; });
    part(
        "payloads", "payload_offsets", [](const Record& r) { return r.offset + r.key_bytes; },
        [](const Record& r) { return r.payload_bytes; });
  }

  std::filesystem::path folder_;
  const Case& case_;
  Testbed& testbed_;
  std::string side_;
  ordered_json files_;
};

/// The order as JSON; null for the order by the whole key.
ordered_json order_json(const Order& order) {
  if (order.is_whole()) return nullptr;
  return {{"unit_floats", order.unit_floats}, {"shift", order.shift}, {"bits", order.bits}};
}

/// True if all elements of `output` exist.
bool can_be_read(const Case& c, const Buffers& output) {
  if (output.keys.count != c.n) return false;
  if (c.key != KeyType::string) {
    return c.value == ValueType::none || c.layout == Layout::together || output.values.count == c.n;
  }
  const std::uint64_t bytes = input_bytes(c);
  return output.bytes.count == bytes && std::ranges::all_of(output.keys.as<const Record>(), [&](const Record& r) {
           return r.offset <= bytes && r.bytes() <= bytes - r.offset;
         });
}

}  // namespace

void dump_sort(const std::filesystem::path& folder, const Case& c, const Verification& verification,
               const Buffers& output, Testbed& testbed) {
  if (!can_be_read(c, output)) return;
  ordered_json line{{"schema", 1},
                    {"algorithm", c.algorithm->info().name},
                    {"cell", cell_id(c)},
                    {"key_type", to_name(c.key)},
                    {"value_type", to_name(c.value)},
                    {"n", c.n},
                    {"seed", testbed.seed()},
                    {"digest", verification.digest},
                    {"stable", c.algorithm->stable(c.parameters)},
                    {"order", order_json(c.algorithm->order(c.parameters))},
                    {"case", to_json(c, {testbed.entropy_bits(), testbed.resources(c).cpus})},
                    {"verification", to_json(verification)},
                    {"reason", verification.ok() ? ordered_json() : ordered_json(verification.reason)}};
  Dump dump(folder, c, testbed);
  ordered_json after = dump.side("output", output);
  line["input"] = dump.side("input", testbed.input(c));
  line["output"] = std::move(after);
  std::ofstream manifest(folder / "manifest.jsonl", std::ios::app);
  manifest << line.dump() << '\n';
  manifest.close();
  if (!manifest) throw std::runtime_error(fmt::format("cannot write {}", (folder / "manifest.jsonl").string()));
}

}  // namespace sortlab

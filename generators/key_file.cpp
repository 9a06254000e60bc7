#include "generators/key_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <tuple>
#include <vector>

#include "generators/npy_header.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kDigestChunk = std::uint64_t{1} << 20;  // bytes of keys in a leaf of the digest's tree
constexpr std::uint64_t kReadChunk = std::uint64_t{1} << 20;    // bytes of a file read at a time, where keys lie apart
constexpr std::uint64_t kMaxKeys = std::uint64_t{1} << 40;

std::string first_bytes(int file, const std::string& path) {
  std::string bytes(kNpyPrefixBytes, '\0');
  bytes.resize(read_bytes(file, path, 0, bytes.size(), bytes.data()));
  return bytes;
}

/// A type of NumPy as a key type, or the reason that no sort takes it and the cast that would do.
struct TypeAnswer {
  std::optional<KeyType> key;
  std::string why_not{};
};

TypeAnswer find_key_type(std::string_view type) {
  static const std::map<std::string_view, KeyType> known{{"u4", KeyType::u32}, {"u8", KeyType::u64},
                                                         {"i4", KeyType::i32}, {"i8", KeyType::i64},
                                                         {"f4", KeyType::f32}, {"f8", KeyType::f64}};
  const std::string_view plain = type.substr(1);
  const auto cast = [&](std::string_view call) {
    return TypeAnswer{{}, fmt::format("holds {}, which no sort takes; cast it in NumPy: .{}", type, call)};
  };
  if (known.contains(plain)) {
    if (type[0] == '<') return {known.at(plain)};
    if (type[0] != '>') return {{}, fmt::format("holds {}, without the order of its bytes; allowed: <{}", type, plain)};
    return {{}, fmt::format("holds big-endian keys ({}); cast them in NumPy: .astype('<{}')", type, plain)};
  }
  switch (plain[0]) {
    case 'b':
    case 'u': return cast("astype('<u4')");
    case 'i': return cast("astype('<i4')");
    case 'f': return cast(plain == "f2" ? "astype('<f4')" : "astype('<f8')");
    case 'c': return cast("real, or another part of it");
    case 'M':
    case 'm': return cast("view('<i8')");
    case 'O': return {{}, "holds Python objects; allowed: u32, u64, i32, i64, f32, f64"};
    default: return {{}, fmt::format("holds {}, which no sort takes; allowed: u32, u64, i32, i64, f32, f64", type)};
  }
}

std::string list_names(const std::vector<NpyField>& fields) {
  std::vector<std::string> names;
  for (const NpyField& field : fields) names.push_back(field.name);
  constexpr std::size_t most = 12;
  if (names.size() > most) names.resize(most), names.emplace_back("…");
  return join(names);
}

/// The header of a .npy file, with the place of the array.
struct Npy {
  NpyHeader header;
  std::uint64_t begin = 0;  ///< bytes before the array
};

Npy read_npy(int file, const std::string& path, const std::string& start) {
  try {
    const NpyHeaderPlace place = read_npy_prefix(start);
    std::string text(place.bytes, '\0');
    if (read_bytes(file, path, place.begin, place.bytes, text.data()) < place.bytes) {
      throw BadInput("the .npy file ends within its header");
    }
    return {read_npy_header(text), place.begin + place.bytes};
  } catch (const BadInput& error) {
    refuse_file(path, error.what());
  }
}

const NpyField& field_named(const NpyHeader& header, const std::string& path, const std::string& column) {
  if (!header.structured) {
    if (!column.empty()) refuse_file(path, fmt::format("has no columns; leave out column={}", column));
    return header.fields.front();
  }
  if (header.fields.empty()) refuse_file(path, "has no columns");
  const auto found = std::ranges::find(header.fields, column, &NpyField::name);
  if (found == header.fields.end() || column.empty()) {
    refuse_file(path, fmt::format("{}; allowed: column={}",
                                  column.empty() ? "has columns" : fmt::format("has no column '{}'", column),
                                  list_names(header.fields)));
  }
  return *found;
}

std::string in_column(const std::string& column) {
  return column.empty() ? "" : fmt::format("column '{}' ", column);
}

KeyFile place_in_npy(int file, const KeyFileName& name, const FileIdentity& identity, const std::string& start) {
  const std::string& path = name.path;
  const auto [header, begin] = read_npy(file, path, start);
  if (header.holds_objects) refuse_file(path, "holds Python objects; allowed: u32, u64, i32, i64, f32, f64");
  const NpyField& field = field_named(header, path, name.column);
  if (header.fortran_order) refuse_file(path, "is in Fortran order; save it in C order: numpy.ascontiguousarray");
  if (header.shape.size() != 1) {
    refuse_file(path, fmt::format("has {} dimensions; allowed: one, as by .ravel()", header.shape.size()));
  }
  if (field.is_array) refuse_file(path, in_column(name.column) + "holds several values; allowed: one number");
  const TypeAnswer type = find_key_type(field.type);
  if (!type.key) refuse_file(path, in_column(name.column) + type.why_not);
  if (name.raw && *name.raw != *type.key) {
    refuse_file(path, fmt::format("{}holds {}; key={} is not allowed: cast it in NumPy", in_column(name.column),
                                  to_name(*type.key), to_name(*name.raw)));
  }
  const std::uint64_t n = header.shape[0];
  if (n > kMaxKeys) refuse_file(path, fmt::format("its header says {} keys; allowed: up to 2^40", n));
  const std::uint64_t there = identity.bytes - std::min(identity.bytes, begin);
  if (header.element_bytes == 0 || n > there / header.element_bytes || n * header.element_bytes != there) {
    refuse_file(path, fmt::format("holds {} bytes after its header, which says {} elements of {} bytes", there, n,
                                  header.element_bytes));
  }
  return {.path = path,
          .column = name.column,
          .key = *type.key,
          .n = n,
          .begin = begin + field.offset,
          .step = header.element_bytes,
          .identity = identity,
          .digest = {}};
}

KeyFile place_in_raw(const KeyFileName& name, const FileIdentity& identity) {
  if (name.path.ends_with(".npy")) refuse_file(name.path, "is called .npy, but does not begin as such a file does");
  if (!name.raw)
    refuse_file(
        name.path,
        "is no .npy file; for raw little-endian keys add their type, as --key u64; for lines of text --key string");
  if (*name.raw == KeyType::string) refuse_file(name.path, "key=string is not allowed; allowed: keys of fixed width");
  if (!name.column.empty()) refuse_file(name.path, "has no columns; allowed: column with structured .npy files");
  const std::uint32_t width = byte_size(*name.raw);
  if (identity.bytes % width != 0) {
    refuse_file(name.path, fmt::format("has {} bytes, which is no multiple of the {} bytes of {}", identity.bytes,
                                       width, to_name(*name.raw)));
  }
  return {.path = name.path,
          .column = {},
          .key = *name.raw,
          .n = identity.bytes / width,
          .begin = 0,
          .step = width,
          .identity = identity,
          .digest = {}};
}

/// Marks of float keys that a sort by operator< would not order.
struct Floats {
  bool nan = false;
  bool plus_zero = false;
  bool minus_zero = false;

  void add(const Floats& other) {
    nan |= other.nan;
    plus_zero |= other.plus_zero;
    minus_zero |= other.minus_zero;
  }
  bool odd() const { return nan || (plus_zero && minus_zero); }
};

template <class K>
Floats floats_among(const std::byte* keys, std::uint64_t count) {
  Floats found;
  for (std::uint64_t i = 0; i < count; ++i) {
    K key;
    std::memcpy(&key, keys + i * sizeof(K), sizeof(K));
    found.nan |= key != key;
    found.plus_zero |= key == 0 && !std::signbit(key);
    found.minus_zero |= key == 0 && std::signbit(key);
  }
  return found;
}

/// Reads all keys and completes `file`. The digest is of the type, of n, and of each MiB of keys, so that it depends
/// neither on the header nor on other columns.
void read_all(KeyFile& file, const KeyVisitor& visit) {
  const std::uint64_t width = byte_size(file.key);
  const std::uint64_t per_chunk = kDigestChunk / width;
  std::mutex keeping;
  Floats floats;
  const KeyFileReader reader{file};
  const auto read = [&](std::uint64_t chunk, std::string& buffer) -> std::string_view {
    const std::uint64_t first = chunk * per_chunk;
    const std::uint64_t count = std::min(per_chunk, file.n - first);
    buffer.resize(kDigestChunk);
    auto* const keys = reinterpret_cast<std::byte*>(buffer.data());
    reader.read(first, count, keys);
    if (visit) visit(file, first, count, keys);
    if (is_float(file.key)) {
      const Floats found =
          file.key == KeyType::f32 ? floats_among<float>(keys, count) : floats_among<double>(keys, count);
      const std::scoped_lock lock{keeping};
      floats.add(found);
    }
    return std::string_view{buffer}.substr(0, count * width);
  };
  file.digest = tree_digest((file.n + per_chunk - 1) / per_chunk, read, [&] {
    reader.check_unchanged();
    return fmt::format("sortlab keys 1\n{}\n{}\n", to_name(file.key), file.n);
  });
  file.odd_floats = floats.odd();
}

struct Registry {
  std::mutex changing;
  std::map<std::string, KeyFile, std::less<>> by_digest;
  std::map<std::tuple<std::string, std::string, std::optional<KeyType>>, KeyFile> opened;
};

Registry& registry() {
  static Registry files;
  return files;
}

}  // namespace

bool is_raw_key_file(const std::string& path) {
  if (path.ends_with(".npy")) return false;
  try {
    const auto [file, identity] = open_regular_file(path);
    return !first_bytes(file.get(), path).starts_with(kNpyMagic);
  } catch (const std::runtime_error&) {
    return false;
  }
}

std::uint64_t column_bytes(const std::string& path, const std::string& column) {
  const auto [file, identity] = open_regular_file(path);
  const std::string start = first_bytes(file.get(), path);
  if (!start.starts_with(kNpyMagic))
    refuse_file(path, fmt::format("is no .npy file, so that it has no column '{}'", column));
  const NpyHeader header = read_npy(file.get(), path, start).header;
  const NpyField& field = field_named(header, path, column);
  const auto next = std::ranges::upper_bound(header.fields, field.offset, {}, &NpyField::offset);
  return (next == header.fields.end() ? header.element_bytes : next->offset) - field.offset;
}

KeyFile open_key_file(const KeyFileName& name) {
  return open_key_file(name, nullptr);
}

KeyFile open_key_file(const KeyFileName& name, const KeyVisitor& visit) {
  const auto [descriptor, identity] = open_regular_file(name.path);
  Registry& files = registry();
  {
    const std::scoped_lock lock{files.changing};
    const auto found = files.opened.find({name.path, name.column, name.raw});
    if (found != files.opened.end() && found->second.identity == identity && !visit) return found->second;
  }
  const std::string start = first_bytes(descriptor.get(), name.path);
  KeyFile file = start.starts_with(kNpyMagic) ? place_in_npy(descriptor.get(), name, identity, start)
                                              : place_in_raw(name, identity);
  read_all(file, visit);
  const std::scoped_lock lock{files.changing};
  files.opened.insert_or_assign({name.path, name.column, name.raw}, file);
  return file;
}

void add_key_file(const KeyFile& file) {
  Registry& files = registry();
  const std::scoped_lock lock{files.changing};
  files.by_digest.insert_or_assign(file.digest, file);
}

const KeyFile* key_file(std::string_view digest) {
  Registry& files = registry();
  const std::scoped_lock lock{files.changing};
  const auto found = files.by_digest.find(digest);
  return found == files.by_digest.end() ? nullptr : &found->second;
}

std::string to_text(const KeyFile& file) {
  return nlohmann::ordered_json{hexadecimal(std::filesystem::absolute(file.path).string()),
                                hexadecimal(file.column),
                                to_name(file.key),
                                file.n,
                                file.begin,
                                file.step,
                                to_json(file.identity),
                                file.digest,
                                file.odd_floats}
      .dump();
}

KeyFile key_file_from_text(std::string_view text) {
  const auto json = nlohmann::ordered_json::parse(text);
  return {.path = bytes_from_hexadecimal(json.at(0).get<std::string>()),
          .column = bytes_from_hexadecimal(json.at(1).get<std::string>()),
          .key = value_named<KeyType>(json.at(2).get<std::string>()).value(),
          .n = json.at(3),
          .begin = json.at(4),
          .step = json.at(5),
          .identity = identity_from_json(json.at(6)),
          .digest = json.at(7),
          .odd_floats = json.at(8)};
}

void KeyFileReader::read(std::uint64_t first, std::uint64_t count, std::byte* keys) const {
  const std::uint64_t width = byte_size(file_.key);
  if (count == 0) return;
  if (file_.step == width) {
    reader_.read(file_.begin + first * width, count * width, keys);
    return;
  }
  const std::uint64_t per_chunk = std::max<std::uint64_t>(1, kReadChunk / file_.step);
  std::vector<std::byte> elements(std::min(count, per_chunk) * file_.step);
  for (std::uint64_t done = 0; done < count; done += per_chunk) {
    const std::uint64_t some = std::min(per_chunk, count - done);
    // Up to the last key's end only: the last element may end the file, and its field need not begin it.
    const std::uint64_t bytes = (some - 1) * file_.step + width;
    reader_.read(file_.begin + (first + done) * file_.step, bytes, elements.data());
    for (std::uint64_t i = 0; i < some; ++i) {
      std::memcpy(keys + (done + i) * width, elements.data() + i * file_.step, width);
    }
  }
}

}  // namespace sortlab

#include "generators/npy_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <utility>

#include "core/bad_input.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kMaxElementBytes = std::uint64_t{1} << 31;  // largest type, as in NumPy
constexpr std::size_t kMaxFields = 4096;
constexpr int kMaxDepth = 8;  // structured types within each other
constexpr std::size_t kMaxDimensions = 64;

[[noreturn]] void refuse(std::string_view why) {
  throw BadInput(fmt::format("the header of the .npy file {}", why));
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > kMaxElementBytes / b) refuse("names a type of more than 2^31 bytes");
  return a * b;
}

/// Bytes of a value of a plain type, as its text says: <u4, |S10, <U3, <M8[ns].
std::uint64_t type_bytes(std::string_view type) {
  const auto fail = [&]() -> std::uint64_t { refuse(fmt::format("names an unknown type '{}'", type.substr(0, 40))); };
  if (type.size() < 2 || std::string_view{"<>|="}.find(type[0]) == std::string_view::npos) return fail();
  const char kind = type[1];
  std::string_view digits = type.substr(2);
  if (kind == 'O') return digits.empty() || digits == "8" ? 8 : fail();
  if ((kind == 'M' || kind == 'm') && digits.ends_with(']')) digits = digits.substr(0, digits.find('['));
  std::uint64_t size = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), size);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) return fail();
  if (kind == 'U') return product(size, 4);
  if (kind == 'S' || kind == 'V' || kind == 'a') return product(size, 1);
  const auto allow = [&](std::initializer_list<std::uint64_t> sizes) {
    return std::ranges::find(sizes, size) != sizes.end() ? size : fail();
  };
  switch (kind) {
    case 'b': return allow({1});
    case 'i':
    case 'u': return allow({1, 2, 4, 8});
    case 'f': return allow({2, 4, 8, 12, 16});
    case 'c': return allow({8, 16, 24, 32});
    case 'M':
    case 'm': return allow({8});
    default: return fail();
  }
}

/// Reads the part of Python's literals that NumPy writes.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view text) : text_(text) {}

  NpyHeader read() {
    NpyHeader header;
    bool has_type = false;
    bool has_order = false;
    bool has_shape = false;
    const auto once = [](bool& seen) {
      if (std::exchange(seen, true)) refuse("names a key twice");
    };
    expect('{');
    while (!takes('}')) {
      const std::string key = read_string();
      expect(':');
      if (key == "descr") {
        once(has_type);
        header.structured = peek() == '[';
        header.element_bytes = read_type(header, {}, 0);
      } else if (key == "fortran_order") {
        once(has_order);
        header.fortran_order = read_bool();
      } else if (key == "shape") {
        once(has_shape);
        header.shape = read_shape();
      } else {
        refuse(fmt::format("has an unknown key '{}'", key.substr(0, 40)));
      }
      if (!takes(',') && peek() != '}') fail();
    }
    if (peek() != '\0') fail();
    if (!has_type || !has_order || !has_shape) refuse("lacks one of descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] static void fail() { refuse("is not as NumPy writes it"); }

  void skip_space() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
  }
  /// The next character after spaces, or 0 at the end.
  char peek() {
    skip_space();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool takes(char c) {
    if (c == '\0' || peek() != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!takes(c)) fail();
  }
  bool takes_word(std::string_view word) {
    skip_space();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  bool read_bool() {
    if (takes_word("True")) return true;
    if (!takes_word("False")) fail();
    return false;
  }

  std::uint64_t read_integer() {
    peek();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    if (error != std::errc{}) fail();
    at_ = static_cast<std::size_t>(end - text_.data());
    takes('L');  // Python 2 writes long integers so
    return number;
  }

  std::string read_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail();
    ++at_;
    std::string string;
    while (true) {
      if (at_ >= text_.size() || text_[at_] == '\n') fail();
      const char c = text_[at_++];
      if (c == quote) return string;
      if (c == '\\') {
        if (at_ >= text_.size()) fail();
        const char escaped = text_[at_++];
        if (escaped != '\\' && escaped != '\'' && escaped != '"') refuse("has a name with escaped characters");
        string += escaped;
      } else {
        string += c;
      }
    }
  }

  std::vector<std::uint64_t> read_shape() {
    std::vector<std::uint64_t> shape;
    expect('(');
    while (!takes(')')) {
      if (shape.size() == kMaxDimensions) refuse("has too many dimensions");
      shape.push_back(read_integer());
      if (!takes(',') && (peek() != ')' || shape.size() == 1)) fail();  // (3) is no tuple
    }
    return shape;
  }

  /// Reads a type, plain or structured, and adds the fields of the outermost level. Returns its bytes.
  std::uint64_t read_type(NpyHeader& header, const std::string& name, int depth) {
    if (peek() != '[') {
      std::string type = read_string();
      const std::uint64_t bytes = type_bytes(type);
      header.holds_objects = header.holds_objects || type[1] == 'O';
      if (depth == 0) header.fields.push_back({.name = name, .type = std::move(type)});
      if (depth == 1) header.fields.back().type = std::move(type);
      return bytes;
    }
    if (depth == kMaxDepth) refuse("has structured types within each other more than 8 deep");
    if (depth == 1) header.fields.back().is_array = true;
    std::uint64_t offset = 0;
    expect('[');
    while (!takes(']')) {
      offset += read_field(header, offset, depth);
      if (offset > kMaxElementBytes) refuse("names a type of more than 2^31 bytes");
      if (!takes(',') && peek() != ']') fail();
    }
    return offset;
  }

  /// Reads ('name', type) or ('name', type, shape) at `offset` of an element. Returns its bytes.
  std::uint64_t read_field(NpyHeader& header, std::uint64_t offset, int depth) {
    expect('(');
    if (peek() == '(') refuse("has fields with titles; allowed: fields with one name");
    std::string name = read_string();
    expect(',');
    if (depth == 0) {
      if (header.fields.size() == kMaxFields) refuse("has more than 4096 fields");
      header.fields.push_back({.name = name, .type = {}, .offset = offset});
    }
    std::uint64_t bytes = read_type(header, name, depth + 1);
    if (takes(',') && peek() != ')') {
      for (const std::uint64_t extent : read_shape()) bytes = product(bytes, extent);
      if (depth == 0) header.fields.back().is_array = true;
      takes(',');
    }
    expect(')');
    return bytes;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

NpyHeaderPlace read_npy_prefix(std::string_view first_bytes) {
  const auto byte = [&](std::size_t i) -> std::uint64_t {
    if (i >= first_bytes.size()) throw BadInput("the .npy file ends within its header");
    return static_cast<unsigned char>(first_bytes[i]);
  };
  const std::uint64_t version = byte(6);
  if (version < 1 || version > 3 || byte(7) != 0) {
    throw BadInput(fmt::format("has version {}.{} of the .npy format; allowed: 1.0, 2.0, 3.0", version, byte(7)));
  }
  NpyHeaderPlace place{.begin = version == 1 ? 10U : 12U, .bytes = byte(8) | byte(9) << 8};
  if (version > 1) place.bytes |= byte(10) << 16 | byte(11) << 24;
  if (place.bytes > kMaxNpyHeaderBytes) {
    throw BadInput(fmt::format("has a header of {} bytes; allowed: up to {}", place.bytes, kMaxNpyHeaderBytes));
  }
  return place;
}

NpyHeader read_npy_header(std::string_view text) {
  return HeaderReader{text}.read();
}

}  // namespace sortlab

// The header of NumPy's .npy files (numpy.org/doc/stable/reference/generated/numpy.lib.format.html), versions 1 to 3,
// of untrusted files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sortlab {

/// The first bytes of every .npy file.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";
/// Length of the part before the header's text, which says how long that is: 10 bytes in version 1, 12 in later ones.
inline constexpr std::size_t kNpyPrefixBytes = 12;
/// Length of a header's text, at most. NumPy itself reads 10,000 bytes unless told otherwise.
inline constexpr std::size_t kMaxNpyHeaderBytes = 65536;

/// A field of a structured type; of a plain type, the only one, without a name.
struct NpyField {
  std::string name;
  std::string type;          ///< NumPy's text: <u4, >f8, |O
  std::uint64_t offset = 0;  ///< bytes before it in an element
  bool is_array = false;     ///< true: several values, or a structured type of its own
};

struct NpyHeader {
  std::vector<NpyField> fields;
  bool structured = false;
  bool fortran_order = false;
  bool holds_objects = false;
  std::vector<std::uint64_t> shape;
  std::uint64_t element_bytes = 0;
};

/// Place and length of the header's text.
struct NpyHeaderPlace {
  std::uint64_t begin = 0;
  std::uint64_t bytes = 0;
};

/// Reads the part before the header's text from a file's first bytes (kNpyPrefixBytes, or fewer if the file has fewer).
/// Throws BadInput with the reason, without the file's name, like the next function.
NpyHeaderPlace read_npy_prefix(std::string_view first_bytes);

/// Reads the header's text, a Python dictionary.
NpyHeader read_npy_header(std::string_view text);

}  // namespace sortlab

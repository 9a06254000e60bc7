// Files as inputs: how a user names a file, and the part of it that an input takes. All distributions of files share
// this.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generators/distribution.hpp"

namespace sortlab {

/// The path that "PATH,option=value" begins with. A path may hold commas.
std::string_view path_in(std::string_view text);

/// Opens the file at `path`, makes it known to this process, and returns its digest. Takes its own options out of
/// `given`, or adds to them.
using OpenFile = std::function<std::string(const std::string& path, GivenParameters& given)>;

/// Reads "PATH,option=value" of the distribution `kind`, or the form that records have: "name=…,digest=…".
GivenParameters read_file_text(std::string_view kind, std::string_view text, std::string_view whole,
                               const OpenFile& open);

/// The parameters of an input from a file; `element` is a key or a line. The digest is of what `digested` says.
std::vector<Parameter> file_parameters(const std::string& element, const std::string& digested);

/// The elements of a file that an input takes: all, consecutive ones, or a sample.
class FilePart {
 public:
  /// `held`: elements of the file.
  FilePart(const Input& input, std::uint64_t held);

  bool is_sample() const { return sample_; }
  /// Elements of the file to one of the input, of a sample.
  std::uint64_t gap() const { return held_ / n_; }
  /// Place in the file of element i of the input; rises with i.
  std::uint64_t place(std::uint64_t i) const;

 private:
  std::uint64_t held_, n_, seed_;
  bool sample_;
  std::uint64_t first_ = 0;  ///< first of consecutive elements
};

/// The reason that a file of `held` elements (keys or lines, by `element`), or one that is not known here, cannot give
/// this input, or nullopt.
std::optional<std::string> declined_part(const Input& input, std::optional<std::uint64_t> held,
                                         std::string_view element);

/// The parameters with `auto` resolved: all elements begin at the first.
Parameters resolved_part(const Input& input, std::optional<std::uint64_t> held);

/// True if each seed makes the same input.
bool is_one_part(const Input& input, std::optional<std::uint64_t> held);

}  // namespace sortlab

// Writes an array as a NumPy file (.npy, format 1.0: numpy.org/doc/stable/reference/generated/numpy.lib.format.html),
// front to back.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

namespace sortlab {

class NpyFile {
 public:
  /// Creates the file. `type`: NumPy's name of the type, such as "<u4". Like the other functions, throws
  /// std::runtime_error with the file name and the reason if it cannot write.
  NpyFile(std::filesystem::path path, std::string_view type, std::uint64_t rows, int columns = 1);

  /// Writes the next bytes of the array, row by row.
  void write(const void* data, std::uint64_t bytes);
  /// Closes the complete file. A full disk may be detected only here.
  void close();

 private:
  struct Closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };

  [[noreturn]] void fail() const;

  std::filesystem::path path_;
  std::unique_ptr<std::FILE, Closing> file_;
};

}  // namespace sortlab

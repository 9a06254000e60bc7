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
  /// `type` as NumPy writes it: "<u4". Throws std::runtime_error with the file's name and why it cannot be written, as
  /// the others do.
  NpyFile(std::filesystem::path path, std::string_view type, std::uint64_t rows, int columns = 1);

  /// The next bytes of the array, row by row.
  void write(const void* data, std::uint64_t bytes);
  /// Once all are written: a full disk may show only now.
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

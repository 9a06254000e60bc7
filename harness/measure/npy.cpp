#include "harness/measure/npy.hpp"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace sortlab {

static_assert(std::endian::native == std::endian::little);

NpyFile::NpyFile(std::filesystem::path path, std::string_view type, std::uint64_t rows, int columns)
    : path_(std::move(path)), file_(std::fopen(path_.c_str(), "wbe")) {
  if (!file_) fail();
  const std::string shape = columns == 1 ? fmt::format("({},)", rows) : fmt::format("({}, {})", rows, columns);
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", type, shape);
  // Magic, version and length take 10 bytes. The array begins at a multiple of 64.
  header.resize((10 + header.size() + 1 + 63) / 64 * 64 - 10 - 1, ' ');
  header += '\n';
  const auto length = static_cast<std::uint16_t>(header.size());
  write("\x93NUMPY\x01\x00", 8);
  write(&length, sizeof length);
  write(header.data(), header.size());
}

void NpyFile::write(const void* data, std::uint64_t bytes) {
  if (bytes > 0 && std::fwrite(data, 1, bytes, file_.get()) != bytes) fail();
}

void NpyFile::close() {
  if (std::fclose(file_.release()) != 0) fail();
}

void NpyFile::fail() const {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path_.string(), std::strerror(errno)));
}

}  // namespace sortlab

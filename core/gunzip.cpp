#include "core/gunzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <stdexcept>

namespace sortlab {
namespace {

/// Ends the stream's memory with its scope.
struct Inflation {
  z_stream stream{};
  Inflation() {
    constexpr int gzip_header = 16;  // added to the bits of the window
    if (inflateInit2(&stream, MAX_WBITS + gzip_header) != Z_OK) throw std::bad_alloc();
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() { inflateEnd(&stream); }
};

}  // namespace

bool is_gzip(std::string_view bytes) {
  return bytes.starts_with("\x1f\x8b");
}

std::string gunzip(std::string_view bytes, std::size_t most) {
  Inflation inflation;
  z_stream& stream = inflation.stream;
  std::string content;
  std::string block(std::size_t{1} << 20, '\0');
  std::string rest{bytes};  // zlib wants bytes that it could write to
  std::size_t read = 0;
  while (true) {
    const std::size_t offered = std::min<std::size_t>(rest.size() - read, std::numeric_limits<uInt>::max());
    stream.next_in = reinterpret_cast<Bytef*>(rest.data() + read);
    stream.avail_in = static_cast<uInt>(offered);
    stream.next_out = reinterpret_cast<Bytef*>(block.data());
    stream.avail_out = static_cast<uInt>(block.size());
    const int status = inflate(&stream, Z_NO_FLUSH);
    read += offered - stream.avail_in;
    content.append(block, 0, block.size() - stream.avail_out);
    if (content.size() > most) throw std::runtime_error("holds too much");
    if (status == Z_STREAM_END) {
      const std::string_view after = std::string_view{rest}.substr(read);
      if (after.find_first_not_of('\0') == std::string_view::npos) return content;  // padding, as of tapes
      if (!is_gzip(after)) throw std::runtime_error("is followed by something that is not compressed");
      inflateReset(&stream);
    } else if (status == Z_BUF_ERROR) {
      throw std::runtime_error("ends early");
    } else if (status != Z_OK) {
      throw std::runtime_error("is damaged");
    }
  }
}

}  // namespace sortlab

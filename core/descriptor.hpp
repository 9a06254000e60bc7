// Descriptors that close themselves, pairs of sockets, and memory that a child process can map.
#pragma once

#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <new>
#include <system_error>
#include <utility>

namespace sortlab {

/// A file descriptor, closed with the object.
class Descriptor {
 public:
  Descriptor() = default;
  /// `what` made `number`; throws std::system_error if that is negative.
  Descriptor(int number, const char* what) : number_(number) {
    if (number < 0) throw std::system_error(errno, std::generic_category(), what);
  }
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  int get() const { return number_; }
  int release() { return std::exchange(number_, -1); }  ///< to be closed by the caller
  void close() {
    if (number_ >= 0) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

/// Two connected sockets of a type (SOCK_STREAM, SOCK_SEQPACKET), which no other child inherits.
inline std::pair<Descriptor, Descriptor> socket_pair(int type) {
  int ends[2];
  if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) {
    throw std::system_error(errno, std::generic_category(), "socketpair");
  }
  return {Descriptor{ends[0], ""}, Descriptor{ends[1], ""}};
}

/// Memory of one or more bytes, mapped and touched, that a child maps by the descriptor.
class SharedMemory {
 public:
  /// Throws std::bad_alloc, or std::system_error.
  explicit SharedMemory(std::size_t bytes)
      : file_(memfd_create("sortlab", MFD_CLOEXEC), "memfd_create"), bytes_(bytes) {
    if (ftruncate(file_.get(), static_cast<off_t>(bytes)) != 0) throw std::bad_alloc();
    data_ = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file_.get(), 0);
    if (data_ == MAP_FAILED) throw std::bad_alloc();
  }
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory() { munmap(data_, bytes_); }

  void* data() const { return data_; }
  int descriptor() const { return file_.get(); }

 private:
  Descriptor file_;
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace sortlab

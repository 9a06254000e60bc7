// A channel of JSON objects, one per line, over a socket between supervisor and worker.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace sortlab {

class LineChannel {
 public:
  /// Takes over a connected stream socket.
  explicit LineChannel(int socket) : socket_(socket) {}
  LineChannel(LineChannel&& other) noexcept;
  LineChannel(const LineChannel&) = delete;
  LineChannel& operator=(const LineChannel&) = delete;
  LineChannel& operator=(LineChannel&&) = delete;
  ~LineChannel();

  int socket() const { return socket_; }

  /// Sends all of `lines`. False if the peer is gone.
  bool send(const std::string& lines);

  /// The next complete line that has arrived, if any. Does not wait.
  std::optional<nlohmann::ordered_json> next();

  /// Waits for bytes and stores them. False at the end of the stream.
  bool receive();

 private:
  int socket_ = -1;
  std::string received_;
  std::size_t searched_ = 0;  ///< bytes of received_ that hold no line break
};

}  // namespace sortlab

// The lanes of a case's shards: a stream on each shard's device, and access to each other's memory.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/cuda/on_device.hpp"
#include "core/cuda/stream.hpp"
#include "harness/cell/shards.hpp"
#include "harness/measure/cuda/stream_clock.hpp"

namespace sortlab {

class Lanes {
 public:
  /// Throws DeviceError for a device that is absent.
  explicit Lanes(const Devices& devices) {
    for (int i = 0; i < devices.shards; ++i) {
      const OnDevice on{devices.device(i)};
      streams_.push_back(std::make_unique<Stream>());
      done_.push_back(std::make_unique<Event>());
      all_.push_back({.device = devices.device(i), .stream = static_cast<cudaStream_t>(*streams_.back())});
    }
    for (const Lane& lane : all_) {
      for (const Lane& peer : all_) reaches_peers_ = reaches(lane.device, peer.device) && reaches_peers_;
    }
  }

  std::span<const Lane> all() const { return all_; }
  bool reaches_peers() const { return reaches_peers_; }
  cudaStream_t stream(std::size_t i) const { return *streams_[i]; }

  /// Calls f(i) for each lane, with its device the current one.
  template <class F>
  void each(const F& f) const {
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const OnDevice on{all_[i].device};
      f(i);
    }
  }
  void synchronise() const {
    each([&](std::size_t i) { check(cudaStreamSynchronize(stream(i))); });
  }
  /// Makes later work on the streams of all other lanes wait for what is on the stream of the first, or the first for
  /// all others.
  void others_wait_for_first() {
    const OnDevice on{all_[0].device};
    done_[0]->record(stream(0));
    each([&](std::size_t i) {
      if (i > 0) done_[0]->hold_back(stream(i));
    });
  }
  void first_waits_for_others() {
    each([&](std::size_t i) {
      if (i > 0) done_[i]->record(stream(i));
    });
    const OnDevice on{all_[0].device};
    for (std::size_t i = 1; i < all_.size(); ++i) done_[i]->hold_back(stream(0));
  }

 private:
  /// Enables the access of one device to another's memory, if the driver allows it.
  static bool reaches(int device, int peer) {
    if (device == peer) return true;
    int can = 0;
    check(cudaDeviceCanAccessPeer(&can, device, peer));
    if (can == 0) return false;
    const OnDevice on{device};
    const cudaError_t error = cudaDeviceEnablePeerAccess(peer, 0);
    if (error == cudaErrorPeerAccessAlreadyEnabled) {
      cudaGetLastError();  // this one is not sticky
    } else {
      check(error);
    }
    return true;
  }

  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<std::unique_ptr<Event>> done_;
  std::vector<Lane> all_;
  bool reaches_peers_ = true;
};

}  // namespace sortlab

// Converts sorted words back to keys and values by streaming stores. After a partition through memory the output is in
// no cache, and ordinary stores would read each line before they overwrite it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "core/stream_lines.hpp"

namespace sortlab::msd {

/// One thread's output, which other threads see after finish_streaming().
template <class Word>
class StreamedOutput {
 public:
  explicit StreamedOutput(const Form<Word>& form) : form_(&form) {}

  /// Converts n words, and the values beside them, to the elements of `to` from `first` on, like Form::leave.
  void leave(const Word* words, const Word* beside, std::size_t n, const Arrays& to, std::uint64_t first) {
    if (form_->direct) return stream({words, beside}, n, to, first);
    for (std::size_t i = 0; i < n; i += kTile) {
      const std::size_t some = std::min(kTile, n - i);
      form_->leave(words + i, beside + i, some, {keys_, values_}, 0);
      stream({keys_, values_}, some, to, first + i);
    }
  }

 private:
  struct Elements {
    const void* keys;
    const void* values;
  };

  void stream(const Elements& from, std::size_t n, const Arrays& to, std::uint64_t first) const {
    stream(from.keys, static_cast<std::byte*>(to.keys) + first * form_->key_bytes, n * form_->key_bytes);
    if (form_->value_bytes == 0) return;
    stream(from.values, static_cast<std::byte*>(to.values) + first * form_->value_bytes, n * form_->value_bytes);
  }

  /// Streams the lines that lie entirely within `to`. Other threads may write the rest of the lines at its ends.
  static void stream(const void* from, std::byte* to, std::size_t bytes) {
    const auto* const begin = static_cast<const std::byte*>(from);
    const std::size_t head = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % kLineBytes);
    const std::size_t lines = (bytes - head) / kLineBytes * kLineBytes;
    std::memcpy(to, begin, head);
    stream_lines(to + head, begin + head, lines);
    std::memcpy(to + head + lines, begin + head + lines, bytes - head - lines);
  }

  const Form<Word>* form_;
  alignas(kLineBytes) std::byte keys_[kTile * sizeof(std::uint64_t)];
  alignas(kLineBytes) std::byte values_[kTile * sizeof(std::uint64_t)];
};

}  // namespace sortlab::msd

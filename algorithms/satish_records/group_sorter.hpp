// One step of the sort of records: sorts a group by the next bytes of its keys, and finds the groups of keys that are
// still equal.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "algorithms/common/host/buffer_radix/lsd_sorter.hpp"
#include "algorithms/satish_records/plan.hpp"
#include "algorithms/satish_records/prefix.hpp"
#include "core/thread_team.hpp"

namespace sortlab::satish {

/// The items that are sorted: ids of records, with the current words of their keys.
template <class Word>
struct Sorting {
  const Record* records = nullptr;
  const std::uint8_t* bytes = nullptr;
  Word* words = nullptr;
  std::uint32_t* ids = nullptr;
  std::uint32_t* spare = nullptr;  ///< second array of ids
};

/// Places [begin, end) of the order, whose keys are equal in their first `skip` bytes. The keys of a new group may be
/// shorter than `skip` by up to one word; they are then equal when padded with zeros.
struct Group {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  std::uint64_t skip = 0;

  std::uint64_t size() const { return end - begin; }
};

template <class Word>
class GroupSorter {
 public:
  /// For groups of up to `largest` records, sorted by the threads of `team`. Groups of up to `compare_up_to` records
  /// are sorted by comparisons.
  GroupSorter(std::uint64_t largest, std::uint64_t compare_up_to, const Settings& settings, const Resources& resources,
              ThreadTeam& team)
      : compare_up_to_(compare_up_to),
        team_(team),
        radix_sort_(largest, Word{0}, settings, resources),
        unheard_(resources.threads),
        found_(static_cast<std::size_t>(team.size())),
        lengths_(static_cast<std::size_t>(team.size())) {}

  std::uint64_t scratch_bytes() const { return radix_sort_.scratch_bytes(); }

  /// Loads the next word of each key.
  void load(const Sorting<Word>& s, const Group& group) {
    team_.run([&](int thread) {
      const auto [begin, end] = share(group, thread);
      for (std::uint64_t i = begin; i < end; ++i) {
        if (i + 2 * kRecordsAhead < end) __builtin_prefetch(s.records + s.ids[i + 2 * kRecordsAhead]);
        if (i + kRecordsAhead < end)
          __builtin_prefetch(s.bytes + s.records[s.ids[i + kRecordsAhead]].offset + group.skip);
        const Record& record = s.records[s.ids[i]];
        s.words[i] = load_prefix<Word>(s.bytes + record.offset + group.skip, record.key_bytes - group.skip);
      }
    });
  }

  /// Sorts the group by the loaded words.
  void sort(const Sorting<Word>& s, const Group& group) {
    unheard_.reset();
    const Buffers data{.keys = {.data = s.words + group.begin, .count = group.size()},
                       .values = {.data = s.ids + group.begin, .count = group.size()}};
    const Buffers sorted = radix_sort_.sort(data, unheard_);
    if (sorted.keys.data == data.keys.data)
      return;  // otherwise it is in the other array, after an odd number of passes
    team_.run([&](int thread) {
      const auto [begin, end] = share(group, thread);
      std::copy_n(static_cast<const Word*>(sorted.keys.data) + (begin - group.begin), end - begin, s.words + begin);
      std::copy_n(static_cast<const std::uint32_t*>(sorted.values.data) + (begin - group.begin), end - begin,
                  s.ids + begin);
    });
  }

  /// Sorts small groups of equal words by comparing keys, and adds larger groups to `found`.
  void find_ties(const Sorting<Word>& s, const Group& group, std::vector<Group>& found) {
    team_.run([&](int thread) {
      auto [at, end] = share(group, thread);  // a thread takes the groups that begin in its share
      while (at < end && at != group.begin && s.words[at] == s.words[at - 1]) ++at;
      while (at < end) {
        std::uint64_t next = at + 1;
        while (next < group.end && s.words[next] == s.words[at]) ++next;
        if (next - at > compare_up_to_) {
          found_[static_cast<std::size_t>(thread)].push_back({at, next, group.skip + sizeof(Word)});
        } else if (next - at > 1) {
          compare(s, {at, next, group.skip});
        }
        at = next;
      }
    });
    for (std::vector<Group>& of_thread : found_) {
      found.insert(found.end(), of_thread.begin(), of_thread.end());
      of_thread.clear();
    }
  }

  /// Sorts a found group by its next word, and adds the remaining ties to `found`.
  void refine(const Sorting<Word>& s, Group group, std::vector<Group>& found) {
    group.begin += put_ended_first(s, group);
    if (group.size() < 2) return;
    if (group.size() <= compare_up_to_) return compare(s, group);
    load(s, group);
    sort(s, group);
    find_ties(s, group, found);
  }

 private:
  /// Number of distinct lengths within the last word: 0 to one less than its bytes, and one for all longer keys.
  static constexpr std::size_t kLengths = sizeof(Word) + 1;

  std::pair<std::uint64_t, std::uint64_t> share(const Group& group, int thread) const {
    const auto threads = static_cast<std::uint64_t>(team_.size());
    const auto t = static_cast<std::uint64_t>(thread);
    return {group.begin + group.size() * t / threads, group.begin + group.size() * (t + 1) / threads};
  }

  static void compare(const Sorting<Word>& s, const Group& group) {
    std::sort(s.ids + group.begin, s.ids + group.end, [&](std::uint32_t a, std::uint32_t b) {
      const int order = compare_keys(s.records[a], s.bytes, s.records[b], s.bytes, group.skip);
      return order != 0 ? order < 0 : a < b;
    });
  }

  /// Puts the keys that end before group.skip first, in order of length, and returns their number. They are then in
  /// order, since the shorter of two keys that agree when padded with zeros is smaller.
  std::uint64_t put_ended_first(const Sorting<Word>& s, const Group& group) {
    const std::uint64_t from = group.skip - sizeof(Word);
    const auto ended_length = [&](std::uint32_t id) {
      return std::min<std::uint64_t>(s.records[id].key_bytes - from, sizeof(Word));
    };
    team_.run([&](int thread) {
      auto& mine = lengths_[static_cast<std::size_t>(thread)];
      mine.fill(0);
      const auto [begin, end] = share(group, thread);
      for (std::uint64_t i = begin; i < end; ++i) {
        if (i + kRecordsAhead < end) __builtin_prefetch(s.records + s.ids[i + kRecordsAhead]);
        ++mine[ended_length(s.ids[i])];
      }
    });
    std::uint64_t place = group.begin;
    bool all_alike = false;
    std::uint64_t longer = 0;
    for (std::size_t length = 0; length < kLengths; ++length) {
      const std::uint64_t before = place;
      for (auto& of_thread : lengths_) place += std::exchange(of_thread[length], place);
      longer = place - before;
      all_alike |= longer == group.size();
    }
    if (!all_alike) {
      team_.run([&](int thread) {
        auto& mine = lengths_[static_cast<std::size_t>(thread)];
        const auto [begin, end] = share(group, thread);
        for (std::uint64_t i = begin; i < end; ++i) s.spare[mine[ended_length(s.ids[i])]++] = s.ids[i];
        team_.wait();
        std::copy(s.spare + begin, s.spare + end, s.ids + begin);
      });
    }
    return group.size() - longer;
  }

  std::uint64_t compare_up_to_;
  ThreadTeam& team_;
  LsdSorter<KeyKind::integer, Word, std::uint32_t> radix_sort_;
  PhaseTimer unheard_;                     ///< discards the phases of the radix sort, which are part of a phase here
  std::vector<std::vector<Group>> found_;  ///< groups found by each thread
  std::vector<std::array<std::uint64_t, kLengths>> lengths_;  ///< each thread's counts of lengths, then their places
};

}  // namespace sortlab::satish

// The sort of records: it sorts prefixes with record ids, then by the rest of the keys if prefixes are equal, and then
// moves the records.
#pragma once

#include <atomic>

#include "algorithms/common/host/rearrangement.hpp"
#include "algorithms/satish_records/group_sorter.hpp"

namespace sortlab::satish {

template <class Word>
class RecordSorter final : public Sorter {
 public:
  RecordSorter(const Problem& problem, std::uint64_t compare_up_to, const Settings& settings,
               const Resources& resources)
      : n_(problem.n),
        team_(resources.threads, resources.cpus),
        alone_(1, {}),
        words_(n_ * sizeof(Word), resources.pages),
        ids_(n_ * sizeof(std::uint32_t), resources.pages),
        spare_(n_ * sizeof(std::uint32_t), resources.pages),
        by_all_(n_, compare_up_to, settings, resources, team_),
        rearrange_(problem, resources, team_) {
    if (resources.threads == 1) return;
    share_ = n_ / (kSharesAThread * static_cast<std::uint64_t>(resources.threads));
    const Resources one{.threads = 1, .cpus = {}, .pages = resources.pages};
    for (int thread = 0; thread < resources.threads; ++thread) {
      by_one_.push_back(std::make_unique<GroupSorter<Word>>(share_, compare_up_to, settings, one, alone_));
    }
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = words_.size() + ids_.size() + spare_.size() + by_all_.scratch_bytes();
    for (const auto& sorter : by_one_) bytes += sorter->scratch_bytes();
    return bytes + rearrange_.scratch_bytes();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const Sorting<Word> s{.records = static_cast<const Record*>(data.keys.data),
                          .bytes = static_cast<const std::uint8_t*>(data.bytes.data),
                          .words = words_.data<Word>(),
                          .ids = ids_.data<std::uint32_t>(),
                          .spare = spare_.data<std::uint32_t>()};
    const Group all{0, n_, 0};
    {
      const auto phase = phases.phase("prefix");
      number(s);
      by_all_.load(s, all);
    }
    {
      const auto phase = phases.phase("sort");
      by_all_.sort(s, all);
    }
    {
      const auto phase = phases.phase("ties");
      std::vector<Group> found;
      by_all_.find_ties(s, all, found);
      resolve(s, found);
    }
    return rearrange_(
        data, [&](std::uint64_t i) -> const Record& { return s.records[s.ids[i]]; }, phases);
  }

 private:
  void number(const Sorting<Word>& s) {
    team_.run([&](int thread) {
      const auto threads = static_cast<std::uint64_t>(team_.size());
      const std::uint64_t begin = n_ * static_cast<std::uint64_t>(thread) / threads;
      const std::uint64_t end = n_ * (static_cast<std::uint64_t>(thread) + 1) / threads;
      for (std::uint64_t i = begin; i < end; ++i) s.ids[i] = static_cast<std::uint32_t>(i);
    });
  }

  /// Sorts the groups. All threads work together on each group larger than a share; the others are divided among them.
  void resolve(const Sorting<Word>& s, std::vector<Group>& found) {
    std::vector<Group> shares;
    while (!found.empty()) {
      const Group group = found.back();
      found.pop_back();
      if (group.size() <= share_) {
        shares.push_back(group);
      } else {
        by_all_.refine(s, group, found);
      }
    }
    if (shares.empty()) return;
    std::atomic<std::size_t> next = 0;
    team_.run([&](int thread) {
      GroupSorter<Word>& sorter = *by_one_[static_cast<std::size_t>(thread)];
      std::vector<Group> mine;
      for (std::size_t at = next++; at < shares.size(); at = next++) {
        mine.push_back(shares[at]);
        while (!mine.empty()) {
          const Group group = mine.back();
          mine.pop_back();
          sorter.refine(s, group, mine);
        }
      }
    });
  }

  std::uint64_t n_;
  std::uint64_t share_ = 0;  ///< largest group, in records, that one thread of a team sorts alone
  ThreadTeam team_;
  ThreadTeam alone_;
  Pages words_;
  Pages ids_;
  Pages spare_;
  GroupSorter<Word> by_all_;
  std::vector<std::unique_ptr<GroupSorter<Word>>> by_one_;
  Rearrangement rearrange_;
};

}  // namespace sortlab::satish

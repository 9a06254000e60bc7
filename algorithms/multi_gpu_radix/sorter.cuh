// Host side of the sort: one thread queues the work of all lanes.
#pragma once

#include <memory>
#include <vector>

#include "algorithms/multi_gpu_radix/count.cuh"
#include "algorithms/multi_gpu_radix/lane_memory.cuh"
#include "algorithms/multi_gpu_radix/make_sorter.cuh"
#include "algorithms/multi_gpu_radix/nccl_library.hpp"
#include "algorithms/multi_gpu_radix/routes.hpp"
#include "algorithms/multi_gpu_radix/stable_exchange.cuh"

namespace sortlab::multi_gpu {

template <class Word, class V>
class ShardSorter final : public Sorter {
 public:
  ShardSorter(const Problem& problem, const Settings& settings, KeyOrder<Word> order, const Resources& resources)
      : order_(order),
        settings_{settings.transport, settings.stable && kHasValue<V>},
        n_(problem.n),
        cuts_(even_cuts(problem.n, static_cast<int>(problem.shards.size()))) {
    const std::size_t lanes = problem.shards.size();
    for (std::size_t l = 0; l < lanes; ++l) {
      const OnDevice on{resources.lanes[l].device};
      lanes_.push_back(std::make_unique<LaneMemory<Word, V>>(problem, resources.lanes[l], problem.shards[l],
                                                             cuts_[l + 1] - cuts_[l],
                                                             l + 1 < lanes && !settings_.stable, settings_));
      LaneMemory<Word, V>& lane = *lanes_.back();
      lane.count_blocks = std::min(resident_blocks(count_ranges<Word, false>, kCountThreads, 0),
                                   blocks_for(lane.count, kCountThreads * kCountAhead<Word>));
      lane.exchange_blocks = std::min(resident_blocks(exchange<Word, V>, kThreads, sizeof(ExchangeStage<Word, V>)),
                                      blocks_for(lane.count, ExchangeStage<Word, V>::kElements));
      if constexpr (kHasValue<V>) {
        if (!settings_.stable) continue;
        allow_shared_memory(stable_exchange<Word, V>, sizeof(ExchangeStage<Word, V>));
        lane.places = DeviceMemory{tiles(lane) * kStableBuckets * sizeof(unsigned long long)};
      }
    }
    received_.resize(lanes);
    results_.resize(lanes);
    if (settings_.transport != Transport::nccl) return;
    std::vector<int> devices;
    for (const Lane& lane : resources.lanes) devices.push_back(lane.device);
    nccl_ = std::make_unique<NcclGroup>(devices);
  }

  std::uint64_t scratch_bytes() const override {
    std::uint64_t bytes = 0;
    for (const auto& lane : lanes_) bytes += lane->bytes();
    return bytes;
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (n_ == 0) return data;
    for (const auto& lane : lanes_) on(*lane, [&] { lane->begun.record(lane->stream()); });
    await_all(&LaneMemory<Word, V>::begun);  // before that, other lanes may still use a lane's memory
    const Buckets buckets = find_splitters(data, phases);
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      received_[l] = is_direct() ? lanes_[l]->own() : lanes_[l]->second(data.shards[l]);
    }
    const RouteFinder routes{buckets, cuts_};
    plan_lanes(buckets, routes);
    if (is_direct()) {
      send(data, buckets, routes, phases);
      divide_borders(buckets, routes, {}, phases);
    } else {
      const Routes found = routes.find();
      send_pieces(data, buckets, found, phases);
      divide_borders(buckets, routes, found, phases);
    }
    for (std::size_t l = 0; l < lanes_.size(); ++l) sort_received(l, data.shards[l], buckets, phases);
    return {.keys = {}, .values = {}, .shards = results_};
  }

 private:
  template <class F>
  static void on(const LaneMemory<Word, V>& lane, const F& f) {
    const OnDevice device{lane.lane.device};
    f();
  }

  bool is_direct() const { return settings_.transport == Transport::direct; }

  /// Elements that were copied are no longer in the order of the buckets, and are sorted as any input.
  void sort_received(std::size_t l, const Buffers& input, const Buckets& buckets, PhaseTimer& phases) {
    const LaneMemory<Word, V>& lane = *lanes_[l];
    results_[l] = received_[l];
    if (lane.received == 0) return;
    on(lane, [&] {
      const auto phase = phases.phase("local sort", 0, static_cast<int>(l));
      queue_rows(lane, buckets);
      const auto* const described = reinterpret_cast<const KeyBucket*>(lane.plan.data() + offsetof(LanePlan, received));
      results_[l] = is_direct() ? lane.sorter->sort_given(received_[l], lane.second(input), described, buckets.count(),
                                                          lane.rows.template data<unsigned long long>())
                                : lane.sorter->sort_given(received_[l], lane.own(), nullptr, 0, nullptr);
    });
  }

  /// Blocks of which each takes at least one tile.
  static unsigned blocks_for(std::uint64_t elements, std::uint64_t tile) {
    return static_cast<unsigned>(std::min<std::uint64_t>((elements + tile - 1) / tile, 1U << 20));
  }
  std::uint32_t digits() const { return settings_.stable ? 1 : kDigits; }
  static std::uint64_t tiles(const LaneMemory<Word, V>& lane) {
    return (lane.count + ExchangeStage<Word, V>::kElements - 1) / ExchangeStage<Word, V>::kElements;
  }

  /// Counts until the splitters are known. The host waits after each pass.
  Buckets find_splitters(const Buffers& data, PhaseTimer& phases) {
    SplitterSearch search{8 * static_cast<int>(sizeof(Word)), static_cast<int>(lanes_.size()), cuts_, digits(),
                          settings_.stable ? 0 : kMaxBorderKeys};
    for (int pass = 0; !search.is_done(); ++pass) {
      const Ranges<Word> ranges{search.next_pass()};
      for (std::size_t l = 0; l < lanes_.size(); ++l) {
        on(*lanes_[l], [&] {
          const auto phase = phases.phase("count", pass, static_cast<int>(l));
          count(*lanes_[l], data.shards[l], ranges);
        });
      }
      for (const auto& lane : lanes_) on(*lane, [&] { check(cudaStreamSynchronize(lane->stream())); });
      search.take([&](std::size_t l) { return *lanes_[l]->counts_here.address(); });
    }
    return search.buckets();
  }

  void count(const LaneMemory<Word, V>& lane, const Buffers& shard, const Ranges<Word>& ranges) const {
    auto* const counts = lane.counts.template data<unsigned long long>();
    const auto* const keys = static_cast<const Word*>(shard.keys.data);
    if (ranges.is_all() && lane.top_counter) {
      auto* const top = lane.top_counts.template data<unsigned long long>();
      lane.top_counter->count(keys, lane.count, top);
      launch(sum_top_counts, kCounters / kThreads, kThreads, 0, lane.stream(), top, counts);
    } else {
      check(cudaMemsetAsync(counts, 0, lane.counts.size(), lane.stream()));
      if (lane.count > 0) {
        launch(ranges.is_all() ? count_ranges<Word, true> : count_ranges<Word, false>, lane.count_blocks, kCountThreads,
               0, lane.stream(), keys, lane.count, order_, ranges, counts);
      }
    }
    check(
        cudaMemcpyAsync(lane.counts_here.address(), counts, lane.counts.size(), cudaMemcpyDeviceToHost, lane.stream()));
  }

  /// Queues the rows of the digits of which a lane receives anything. The host has waited for all counts.
  void queue_rows(const LaneMemory<Word, V>& lane, const Buckets& buckets) const {
    const LanePlan& plan = *lane.plan_here.address();
    int first = -1, last = -1;
    for (std::size_t b = 0; b < buckets.count(); ++b) {
      if (plan.received[b].row < 0) continue;
      if (first < 0) first = plan.received[b].row;
      last = plan.received[b].row;
    }
    if (first < 0) return;
    TopCounts counts{.of_lane = {}, .lanes = static_cast<int>(lanes_.size())};
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      counts.of_lane[l] = lanes_[l]->top_counts.template data<unsigned long long>();
    }
    launch(sum_rows, static_cast<unsigned>(last - first + 1), static_cast<int>(kDigits), 0, lane.stream(), counts,
           static_cast<std::uint32_t>(first), lane.rows.template data<unsigned long long>());
  }

  void plan_lanes(const Buckets& buckets, const RouteFinder& routes) {
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      LanePlan& plan = *lanes_[l]->plan_here.address();
      plan.sends.taken = 0;
      std::uint64_t before = 0;
      for (std::size_t b = 0; b < buckets.count(); ++b) {
        plan.sends.next[b] = is_direct() ? buckets.begins[b][l] : before;
        plan.sends.target[b] = is_direct() ? static_cast<std::uint8_t>(routes.lane_at(buckets.begins[b][l])) : 0;
        before += routes.count(b, l);
        const std::uint64_t begin = std::max(routes.bucket_begin(b), cuts_[l]);
        const std::uint64_t end = std::min(routes.bucket_begin(b + 1), cuts_[l + 1]);
        const std::uint64_t received = begin < end ? end - begin : 0;
        const bool is_whole = received > 0 && received == routes.bucket_begin(b + 1) - routes.bucket_begin(b);
        plan.received[b] = {.count = received,
                            .bits_left = static_cast<std::uint32_t>(buckets.bits_left[b]),
                            .row = is_whole && lanes_[l]->top_counter ? buckets.digits[b] : -1};
      }
      for (std::size_t j = 0; is_direct() && j + 1 < lanes_.size(); ++j) {
        if (!routes.divides(j)) continue;
        plan.sends.target[static_cast<std::size_t>(buckets.border[j])] = static_cast<std::uint8_t>(kMaxLanes + j);
      }
      on(*lanes_[l], [&] {
        check(cudaMemcpyAsync(lanes_[l]->plan.data(), &plan, sizeof plan, cudaMemcpyHostToDevice, lanes_[l]->stream()));
      });
    }
  }

  static void set_target(Targets<Word, V>& all, std::size_t target, const Arrays<Word, V>& arrays, std::uint64_t begin,
                         std::uint64_t end) {
    all.keys[target] = arrays.keys - begin;
    if constexpr (kHasValue<V>) all.values[target] = arrays.values - begin;
    all.end[target] = end;
  }
  static Arrays<Word, V> arrays_at(const Buffers& buffers, std::uint64_t position = 0) {
    Arrays<Word, V> arrays{.keys = static_cast<Word*>(buffers.keys.data) + position};
    if constexpr (kHasValue<V>) arrays.values = static_cast<V*>(buffers.values.data) + position;
    return arrays;
  }

  /// The shards of the result, and the borders.
  Targets<Word, V> all_targets(const Buckets& buckets, const RouteFinder& routes) const {
    Targets<Word, V> all{};
    for (std::size_t l = 0; l < lanes_.size(); ++l) set_target(all, l, arrays_at(received_[l]), cuts_[l], cuts_[l + 1]);
    for (std::size_t j = 0; j + 1 < lanes_.size(); ++j) {
      if (!routes.divides(j)) continue;
      set_target(all, kMaxLanes + j, lanes_[j]->border(),
                 routes.bucket_begin(static_cast<std::size_t>(buckets.border[j])), ~std::uint64_t{0});
    }
    return all;
  }

  /// Makes each lane wait for a mark of all others.
  void await_all(Mark LaneMemory<Word, V>::*mark) const {
    for (const auto& lane : lanes_) {
      on(*lane, [&] {
        for (const auto& other : lanes_) ((*other).*mark).hold_back(lane->stream());
      });
    }
  }

  /// Queues the exchange, and lets each lane wait for what the others send it.
  void send(const Buffers& data, const Buckets& buckets, const RouteFinder& routes, PhaseTimer& phases) {
    const Targets<Word, V> all = all_targets(buckets, routes);
    const BucketOf<Word> bucket_of{order_, digits(), buckets};
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      const LaneMemory<Word, V>& lane = *lanes_[l];
      on(lane, [&] {
        const auto phase = phases.phase("exchange", 0, static_cast<int>(l));
        if (lane.count > 0) exchange_shard(lane, data.shards[l], bucket_of, all);
        lane.sent.record(lane.stream());
      });
    }
    await_all(&LaneMemory<Word, V>::sent);
  }

  /// The same in two steps: each lane partitions in its own memory, and then the pieces are moved.
  void send_pieces(const Buffers& data, const Buckets& buckets, const Routes& routes, PhaseTimer& phases) {
    const BucketOf<Word> bucket_of{order_, digits(), buckets};
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      const LaneMemory<Word, V>& lane = *lanes_[l];
      on(lane, [&] {
        const auto phase = phases.phase("partition", 0, static_cast<int>(l));
        Targets<Word, V> own{};
        set_target(own, 0, arrays_at(lane.own()), 0, ~std::uint64_t{0});
        if (lane.count > 0) exchange_shard(lane, data.shards[l], bucket_of, own);
        lane.partitioned.record(lane.stream());
      });
    }
    await_all(&LaneMemory<Word, V>::partitioned);
    std::vector<Transfer> within, between;
    for (const Piece& piece : routes.pieces) {
      const Arrays<Word, V> from = arrays_at(lanes_[piece.from]->own(), piece.begin);
      const Arrays<Word, V> to = piece.is_border ? lanes_[piece.to]->border() : arrays_at(received_[piece.to]);
      const auto add = [&](const void* source, void* destination, std::uint64_t width) {
        (piece.from == piece.to ? within : between)
            .push_back({piece.from, piece.to, source, destination, piece.count * width});
      };
      add(from.keys, to.keys + piece.place, sizeof(Word));
      if constexpr (kHasValue<V>) add(from.values, to.values + piece.place, sizeof(V));
    }
    move(within, between, phases);
    await_all(&LaneMemory<Word, V>::sent);
  }

  void move(const std::vector<Transfer>& within, const std::vector<Transfer>& between, PhaseTimer& phases) {
    std::vector<std::unique_ptr<PhaseTimer::Scope>> scopes;
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      const LaneMemory<Word, V>& lane = *lanes_[l];
      on(lane, [&] {
        scopes.push_back(std::make_unique<PhaseTimer::Scope>(phases, "exchange", 0, static_cast<int>(l)));
        lane.partitioned.hold_back(lane.beside);
        for (const Transfer& t : within) {
          if (t.from != l) continue;
          check(cudaMemcpyAsync(t.destination, t.source, t.bytes, cudaMemcpyDeviceToDevice, lane.beside));
        }
        lane.beside_done.record(lane.beside);
        for (const Transfer& t : between) {
          if (t.from != l || nccl_) continue;
          check(cudaMemcpyPeerAsync(t.destination, lanes_[t.to]->lane.device, t.source, lane.lane.device, t.bytes,
                                    lane.stream()));
        }
      });
    }
    if (nccl_) {
      std::vector<void*> streams;
      for (const auto& lane : lanes_) streams.push_back(lane->lane.stream);
      nccl_->exchange(between, streams);
    }
    for (std::size_t l = 0; l < lanes_.size(); ++l) {
      on(*lanes_[l], [&] {
        lanes_[l]->beside_done.hold_back(lanes_[l]->stream());
        scopes[l].reset();
        lanes_[l]->sent.record(lanes_[l]->stream());
      });
    }
  }

  void exchange_shard(const LaneMemory<Word, V>& lane, const Buffers& shard, const BucketOf<Word>& bucket_of,
                      const Targets<Word, V>& all) const {
    const auto* const keys = static_cast<const Word*>(shard.keys.data);
    const auto* const values = static_cast<const V*>(shard.values.data);
    auto* const sends = reinterpret_cast<Sends*>(lane.plan.data());
    constexpr std::uint32_t bytes = sizeof(ExchangeStage<Word, V>);
    if (!settings_.stable) {
      launch(exchange<Word, V>, lane.exchange_blocks, kThreads, bytes, lane.stream(), keys, values, lane.count,
             bucket_of, all, sends);
      return;
    }
    if constexpr (kHasValue<V>) {
      auto* const places = lane.places.template data<unsigned long long>();
      launch(count_tile_buckets<Word, V>, lane.exchange_blocks, kThreads, 0, lane.stream(), keys, lane.count, bucket_of,
             places);
      launch(scan_tile_buckets, bucket_of.count(), kCountThreads, 0, lane.stream(), places, tiles(lane), sends);
      launch(stable_exchange<Word, V>, lane.exchange_blocks, kThreads, bytes, lane.stream(), keys, values, lane.count,
             bucket_of, all, sends, places);
    }
  }

  /// `pieces`: the places of the borders' elements, unless they are those of their positions in the result.
  void divide_borders(const Buckets& buckets, const RouteFinder& routes, const Routes& pieces, PhaseTimer& phases) {
    for (std::size_t j = 0; j + 1 < lanes_.size(); ++j) {
      if (!routes.divides(j)) continue;
      const LaneMemory<Word, V>& lane = *lanes_[j];
      const auto b = static_cast<std::size_t>(buckets.border[j]);
      const std::uint64_t begin = routes.bucket_begin(b), cut = cuts_[j + 1];
      const auto in_order = [&](std::uint64_t position) {
        const std::size_t l = routes.lane_at(position);
        return Place{l, position - cuts_[l]};
      };
      const Place lower = is_direct() ? in_order(begin) : pieces.lower[j];
      const Place upper = is_direct() ? in_order(cut) : pieces.upper[j];
      const Border<Word, V> border{.from = lane.border(),
                                   .count = static_cast<std::uint32_t>(routes.bucket_begin(b + 1) - begin),
                                   .lower = static_cast<std::uint32_t>(cut - begin),
                                   .bits_left = buckets.bits_left[b],
                                   .lower_to = arrays_at(received_[lower.lane], lower.position),
                                   .upper_to = arrays_at(received_[upper.lane], upper.position)};
      on(lane, [&] {
        const auto phase = phases.phase("border", 0, static_cast<int>(j));
        launch(divide_border<Word, V>, 1, kCountThreads, 0, lane.stream(), border, order_);
        lane.divided.record(lane.stream());
      });
      for (const std::size_t receiver : {lower.lane, upper.lane}) {
        on(*lanes_[receiver], [&] { lane.divided.hold_back(lanes_[receiver]->stream()); });
      }
    }
  }

  KeyOrder<Word> order_;
  Settings settings_;
  std::uint64_t n_;
  std::vector<std::uint64_t> cuts_;
  std::vector<std::unique_ptr<LaneMemory<Word, V>>> lanes_;
  std::vector<Buffers> received_;  ///< arrays that receive each lane's shard of the result
  std::vector<Buffers> results_;
  std::unique_ptr<NcclGroup> nccl_;
};

}  // namespace sortlab::multi_gpu

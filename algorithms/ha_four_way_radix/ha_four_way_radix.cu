#include "algorithms/ha_four_way_radix/four_stream_rank.cuh"
#include "algorithms/ha_implicit_radix/lsd_sorter.cuh"
#include "generators/parameters.hpp"

namespace sortlab {
namespace {

using ha::Load;

template <int Threads, int Items>
using PaperRank = ha::FourStreamRank<Threads, Items, ha::SharedWarpScan<Threads>>;
template <int Threads, int Items>
using ShuffleRank = ha::FourStreamRank<Threads, Items, ha::ShuffleWarpScan>;

template <class Word, class V>
std::unique_ptr<Sorter> make(const Problem& problem, const Parameters& parameters, KeyOrder<Word> order,
                             const Resources& resources) {
  const ha::Settings settings{
      .presort = parameters.word("presort") == "stored" ? ha::Presort::stored : ha::Presort::recomputed,
      .scatter = ha::Scatter::soa,
  };
  const auto make_pass = [&]<template <int, int> class Rank, int Items, Load Loads>() -> std::unique_ptr<Sorter> {
    constexpr int splits = 1;
    using Pass = ha::Pass<Word, V, ha::ExactMap<Word>, Rank, Items, splits, Loads>;
    return std::make_unique<ha::LsdSorter<Pass>>(problem, settings, order, resources);
  };
  if (parameters.word("tile") == "wide") return make_pass.template operator()<ShuffleRank, 8, Load::async>();
  return make_pass.template operator()<PaperRank, 4, Load::elements>();
}

}  // namespace

std::unique_ptr<Sorter> make_ha_four_way_radix(const Problem& problem, const Parameters& parameters,
                                               const Resources& resources) {
  return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
    switch (problem.key) {
      case KeyType::u32: return make<std::uint32_t, V>(problem, parameters, key_order<std::uint32_t>(), resources);
      case KeyType::i32: return make<std::uint32_t, V>(problem, parameters, key_order<std::int32_t>(), resources);
      case KeyType::f32: return make<std::uint32_t, V>(problem, parameters, key_order<float>(), resources);
      case KeyType::u64: return make<std::uint64_t, V>(problem, parameters, key_order<std::uint64_t>(), resources);
      case KeyType::i64: return make<std::uint64_t, V>(problem, parameters, key_order<std::int64_t>(), resources);
      default: return make<std::uint64_t, V>(problem, parameters, key_order<double>(), resources);
    }
  });
}

}  // namespace sortlab

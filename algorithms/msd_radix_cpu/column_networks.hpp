// The smallest known sorting networks of 2, 4, 8 and 16 elements, with the fewest levels known: 1, 5, 19 and 60
// comparators (Knuth, The Art of Computer Programming 3, section 5.3.4; the network of 16 is Green's).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sortlab::msd {

struct Comparator {
  std::uint8_t low;
  std::uint8_t high;
};

template <std::size_t rows>
inline constexpr std::array<Comparator, 0> kColumnNetwork{};

template <>
inline constexpr std::array<Comparator, 1> kColumnNetwork<2>{{{0, 1}}};

template <>
inline constexpr std::array<Comparator, 5> kColumnNetwork<4>{{{0, 2}, {1, 3}, {0, 1}, {2, 3}, {1, 2}}};

template <>
inline constexpr std::array<Comparator, 19> kColumnNetwork<8>{{
    {0, 2}, {1, 3}, {4, 6}, {5, 7},  //
    {0, 4}, {1, 5}, {2, 6}, {3, 7},  //
    {0, 1}, {2, 3}, {4, 5}, {6, 7},  //
    {2, 4}, {3, 5},                  //
    {1, 4}, {3, 6},                  //
    {1, 2}, {3, 4}, {5, 6},
}};

template <>
inline constexpr std::array<Comparator, 60> kColumnNetwork<16>{{
    {0, 13}, {1, 12}, {2, 15}, {3, 14},  {4, 8},   {5, 6},   {7, 11},  {9, 10},   //
    {0, 5},  {1, 7},  {2, 9},  {3, 4},   {6, 13},  {8, 14},  {10, 15}, {11, 12},  //
    {0, 1},  {2, 3},  {4, 5},  {6, 8},   {7, 9},   {10, 11}, {12, 13}, {14, 15},  //
    {0, 2},  {1, 3},  {4, 10}, {5, 11},  {6, 7},   {8, 9},   {12, 14}, {13, 15},  //
    {1, 2},  {3, 12}, {4, 6},  {5, 7},   {8, 10},  {9, 11},  {13, 14},            //
    {1, 4},  {2, 6},  {5, 8},  {7, 10},  {9, 13},  {11, 14},                      //
    {2, 4},  {3, 6},  {9, 12}, {11, 13},                                          //
    {3, 5},  {6, 8},  {7, 9},  {10, 12},                                          //
    {3, 4},  {5, 6},  {7, 8},  {9, 10},  {11, 12},                                //
    {6, 7},  {8, 9},
}};

}  // namespace sortlab::msd

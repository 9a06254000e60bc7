// What strangers may give, as functions of bytes: libFuzzer calls them with what it makes up (fuzzer.cpp), and
// fuzz_corpus_test.cpp with what is kept in corpus/. Whatever the bytes are, they return: BadInput is an answer, and
// any other exception, signal or report of a sanitizer is a finding.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace sortlab::fuzz {

using Bytes = std::span<const std::uint8_t>;

void config(Bytes bytes);        ///< a config's file
void record(Bytes bytes);        ///< a file of records, resumed from, compared and predicted for
void profile(Bytes bytes);       ///< a machine profile's file
void command_line(Bytes bytes);  ///< what names and filters cells on the command line: an argument a line

struct Target {
  std::string_view name;  ///< of its folder in corpus/
  void (*take)(Bytes);
};

inline constexpr std::array kTargets{Target{"config", config}, Target{"record", record}, Target{"profile", profile},
                                     Target{"command_line", command_line}};

}  // namespace sortlab::fuzz

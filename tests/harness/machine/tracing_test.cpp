// Code of this process that is no longer its file's, as where a probe is set.
#include "harness/machine/tracing.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>

namespace sortlab {
namespace {

[[gnu::noinline]] int probed(int x) {
  asm volatile("" : "+r"(x));  // so that calls of it are not left out
  return x + 1;
}

TEST(Tracing, ABreakpointInTheCodeIsFound) {
  EXPECT_FALSE(is_traced());
  ASSERT_FALSE(is_code_changed());
  TracingWatch watch;
  EXPECT_FALSE(watch.finds_any());
  // A probe leaves a page of its own behind, in place of the file's. The bytes stay.
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  void* const begin = reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&probed) / page * page);
  if (mprotect(begin, page, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) GTEST_SKIP() << "no code may be changed here";
  auto* const code = reinterpret_cast<volatile unsigned char*>(&probed);
  *code = *code;
  ASSERT_EQ(mprotect(begin, page, PROT_READ | PROT_EXEC), 0);
  EXPECT_EQ(probed(1), 2);
  EXPECT_TRUE(is_code_changed());
  usleep(50'000);
  EXPECT_TRUE(watch.finds_any());
}

TEST(Tracing, WhereTheSystemDoesNotTellNothingIsSaid) {
  EXPECT_FALSE(is_code_changed("/nonexistent"));
}

}  // namespace
}  // namespace sortlab

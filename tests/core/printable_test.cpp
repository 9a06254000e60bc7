// What of a stranger's text reaches a terminal.
#include "core/printable.hpp"

#include <gtest/gtest.h>

namespace sortlab {
namespace {

TEST(Printable, KeepsWhatCanBeRead) {
  for (const char* text : {"my_sort u32 n=2^20", "grüße", "基数排序", "μs ≤ 3 🙂", ""})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatMovesTheCursor) {
  EXPECT_EQ(printable("a\x1b[31m\tb\x7f"), "a\\x1b[31m\\x09b\\x7f");
  EXPECT_EQ(printable("a\nb"), "a b");
  EXPECT_EQ(printable("\xc2\x9b"), "\\x9b");  // U+009B begins a terminal's command as ESC [ does
}

TEST(Printable, EscapesWhatTurnsTheDirectionOrHides) {
  EXPECT_EQ(printable("txt.\xe2\x80\xae"
                      "exe"),
            "txt.\\u202eexe");
  EXPECT_EQ(printable("\xe2\x81\xa6\xe2\x81\xa9"), "\\u2066\\u2069");
  EXPECT_EQ(printable("a\xe2\x80\x8b"
                      "b\xef\xbb\xbf"),
            "a\\u200bb\\ufeff");
  EXPECT_EQ(printable("\xe2\x80\xa8"), "\\u2028");
}

TEST(Printable, EscapesBytesThatAreNoUtf8) {
  EXPECT_EQ(printable("\xff\x9b"
                      "a"),
            "\\xff\\x9ba");
  EXPECT_EQ(printable("\xc3"), "\\xc3");
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");                    // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond U+10FFFF
}

}  // namespace
}  // namespace sortlab

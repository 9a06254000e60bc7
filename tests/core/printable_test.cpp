// The parts of foreign text that reach a terminal.
#include "core/printable.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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

TEST(Printable, ATableFitsTheLine) {
  const std::vector<std::string> header{"name", "runs here", "keys", "title"};
  const std::string reason = "no: not in this build, which needs what it does not have";
  const std::vector<std::vector<std::string>> rows{{"a_sort_with_a_long_name", "yes", "u32 u64 i32", "A sort"},
                                                   {"b", reason, "\xc3\xa9\xc3\xa9\xc3\xa9", "Another"}};
  const auto widest = [](const std::string& text) {
    std::size_t most = 0;
    std::size_t here = 0;
    for (const char c : text) {
      here = c == '\n' ? 0 : here + ((static_cast<unsigned char>(c) & 0xc0) != 0x80);
      most = std::max(most, here);
    }
    return most;
  };
  const FittedTable whole = fitted_table(header, rows, 1, 200);
  EXPECT_EQ(whole.text, table(header, rows));
  EXPECT_TRUE(whole.left_out.empty());
  for (const std::size_t width : {80, 60, 50, 40, 30}) {
    const FittedTable fitted = fitted_table(header, rows, 1, width);
    EXPECT_LE(widest(fitted.text), width);
    EXPECT_NE(fitted.text.find("a_sort_with_a_long_name"), std::string::npos);
    EXPECT_EQ(fitted.text.find(reason), std::string::npos);
  }
  EXPECT_EQ(fitted_table(header, rows, 1, 40).text,
            "name                     runs here\n"
            "a_sort_with_a_long_name  yes\n"
            "b                        no: not in thi…\n");
  EXPECT_EQ(fitted_table(header, rows, 1, 40).left_out, (std::vector<std::string>{"keys", "title"}));
  EXPECT_EQ(fitted_table(header, rows, 1, 5).left_out.size(), 3U);
}

}  // namespace
}  // namespace sortlab

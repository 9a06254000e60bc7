// SHA-256 on test vectors of FIPS 180-4, and of a file compared with the same bytes in memory.
#include "core/sha256.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include "core/temporary_folder.hpp"

namespace sortlab {
namespace {

TEST(Sha256, IsWhatTheStandardsExamplesSay) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256_hex(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfAFileIsOfItsBytes) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "sha256_test";
  const std::string bytes("a line\r\n\0and a zero", 19);
  std::ofstream{path, std::ios::binary} << bytes;
  EXPECT_EQ(sha256_of_file(path), sha256_hex(bytes));
  std::filesystem::remove(path);
  EXPECT_THROW(sha256_of_file(path), std::runtime_error);
}

}  // namespace
}  // namespace sortlab

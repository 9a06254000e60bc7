// Keys of files: .npy headers good and damaged, identity, parts, and files that change.
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>

#include "core/temporary_folder.hpp"
#include "generators/key_file.hpp"
#include "generators/npy_header.hpp"
#include "tests/generators/generators_test.hpp"

namespace sortlab {
namespace {

void write_bytes(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream file{path, std::ios::binary};
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

/// A .npy file with this dictionary, padded as NumPy does.
std::string npy(std::string header, std::string_view content, int version = 1) {
  const std::size_t prefix = version == 1 ? 10 : 12;
  header.resize((prefix + header.size() + 1 + 63) / 64 * 64 - prefix - 1, ' ');
  header += '\n';
  std::string file{"\x93NUMPY"};
  file += static_cast<char>(version);
  file += '\0';
  for (std::size_t i = 0; i < prefix - 8; ++i) file += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return file + header + std::string{content};
}

template <class K>
std::string bytes_from(const std::vector<K>& keys) {
  return {reinterpret_cast<const char*>(keys.data()), keys.size() * sizeof(K)};
}

template <class K>
std::vector<K> random_keys(std::size_t n) {
  std::mt19937_64 random{n};
  std::vector<K> keys(n);
  for (K& key : keys) key = static_cast<K>(random());
  return keys;
}

std::string header_for(std::string_view type, std::size_t n) {
  return "{'descr': '" + std::string{type} + "', 'fortran_order': False, 'shape': (" + std::to_string(n) + ",), }";
}

/// The message of the BadInput that `call` throws; empty if it throws none.
template <class Call>
std::string refusal_by(const Call& call) {
  try {
    call();
  } catch (const BadInput& error) {
    return error.what();
  }
  return {};
}

class FileKeys : public testing::Test {
 protected:
  /// Writes a file and returns its path.
  std::string write(const std::string& name, std::string_view bytes) {
    write_bytes(folder_ / name, bytes);
    return folder_.file(name);
  }

  TemporaryFolder folder_;
};

TEST_F(FileKeys, AreReadWhole) {
  const auto keys = random_keys<std::uint32_t>(70001);
  const std::string path = write("keys.npy", npy(header_for("<u4", keys.size()), bytes_from(keys)));
  const NamedDistribution named = parse_distribution("file:" + path);
  EXPECT_TRUE(named.text.starts_with("file:name=keys.npy,digest=")) << named.text;
  EXPECT_EQ(named.text.find(folder_.path().string()), std::string::npos);
  const auto extent = named.distribution->extent(named.parameters);
  ASSERT_TRUE(extent);
  EXPECT_EQ(extent->key, KeyType::u32);
  EXPECT_EQ(extent->n, keys.size());
  for (const int threads : {1, 3}) {
    EXPECT_EQ(input_keys<std::uint32_t>(named.text, KeyType::u32, keys.size(), 7, threads), keys);
  }
}

TEST_F(FileKeys, HaveADigestOfTypeNumberAndContent) {
  const auto keys = random_keys<std::uint64_t>(300'000);  // three leaves of the tree
  const std::string content = bytes_from(keys);
  const std::string digest = open_key_file({write("a.npy", npy(header_for("<u8", keys.size()), content))}).digest;
  EXPECT_EQ(open_key_file({write("b.npy", npy(header_for("<u8", keys.size()), content, 2))}).digest, digest);
  EXPECT_EQ(open_key_file({.path = write("c.bin", content), .raw = KeyType::u64}).digest, digest);
  EXPECT_NE(open_key_file({write("d.npy", npy(header_for("<i8", keys.size()), content))}).digest, digest);
  EXPECT_NE(open_key_file({.path = folder_.file("c.bin"), .raw = KeyType::f64}).digest, digest);
  auto changed = keys;
  changed.back() ^= 1;
  EXPECT_NE(open_key_file({.path = write("e.bin", bytes_from(changed)), .raw = KeyType::u64}).digest, digest);
}

TEST_F(FileKeys, OfAColumnAreThoseOfTheColumn) {
  struct [[gnu::packed]] Row {
    std::uint8_t flag;
    double a;
    std::uint32_t b;
  };
  static_assert(sizeof(Row) == 13);
  std::vector<Row> rows(200'001);
  std::vector<double> a;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i] = {1, static_cast<double>(i % 1000) - 500, static_cast<std::uint32_t>(i)};
    a.push_back(rows[i].a);
  }
  const std::string header =
      "{'descr': [('flag', '|b1'), ('a', '<f8'), ('b', '<u4')], 'fortran_order': False, "
      "'shape': (200001,), }";
  const std::string path = write("rows.npy", npy(header, bytes_from(rows)));
  const NamedDistribution named = parse_distribution("file:" + path + ",column=a");
  EXPECT_EQ(input_keys<double>(named.text, KeyType::f64, a.size(), 1, 2), a);
  EXPECT_NE(named.text.find(",column=a,"), std::string::npos) << named.text;
  EXPECT_EQ(column_bytes(path, "b"), 4);
  // The same keys, wherever they lie.
  EXPECT_EQ(open_key_file({.path = path, .column = "a"}).digest,
            open_key_file({write("a.npy", npy(header_for("<f8", a.size()), bytes_from(a)))}).digest);
  EXPECT_NE(refusal_by([&] { parse_distribution("file:" + path); }).find("column=flag, a, b"), std::string::npos);
  EXPECT_NE(refusal_by([&] { parse_distribution("file:" + path + ",column=flag"); }).find(".astype('<u4')"),
            std::string::npos);
}

TEST_F(FileKeys, FewerThanTheFileHoldsAreAnotherPartForEachSeed) {
  std::vector<std::uint32_t> keys(100'000);
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = static_cast<std::uint32_t>(i);
  const std::string path = write("keys.npy", npy(header_for("<u4", keys.size()), bytes_from(keys)));
  const std::string all = parse_distribution("file:" + path).text;
  const std::string window = parse_distribution("file:" + path + ",window=500").text;
  const std::string sample = parse_distribution("file:" + path + ",sample=yes").text;
  std::set<std::uint32_t> firsts;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto part = input_keys<std::uint32_t>(all, KeyType::u32, 1000, seed, 2);
    firsts.insert(part.front());
    for (std::size_t i = 0; i < part.size(); ++i) ASSERT_EQ(part[i], part.front() + i);
    const auto spread = input_keys<std::uint32_t>(sample, KeyType::u32, 1000, seed, 2);
    for (std::size_t i = 0; i < spread.size(); ++i) ASSERT_EQ(spread[i] / 100, i);  // one of each hundred
  }
  EXPECT_GT(firsts.size(), 18U);
  EXPECT_EQ(input_keys<std::uint32_t>(window, KeyType::u32, 10, 1).front(), 500U);
  EXPECT_EQ(input_keys<std::uint32_t>(window, KeyType::u32, 10, 2).front(), 500U);
  const Distribution& distribution = *parse_distribution(all).distribution;
  EXPECT_FALSE(distribution.has_one_input(make_input(all, KeyType::u32, 1000)));
  EXPECT_FALSE(distribution.has_one_input(make_input(sample, KeyType::u32, 1000)));
  EXPECT_TRUE(distribution.has_one_input(make_input(window, KeyType::u32, 1000)));
  EXPECT_TRUE(distribution.has_one_input(make_input(all, KeyType::u32, 100'000)));
  EXPECT_TRUE(distribution.declines(make_input(all, KeyType::u32, 100'001)));
  EXPECT_TRUE(distribution.declines(make_input(window, KeyType::u32, 99'501)));
  EXPECT_TRUE(distribution.declines(make_input(all, KeyType::u64, 10)));
  EXPECT_FALSE(distribution.declines(make_input(window, KeyType::u32, 99'500)));
  // One input has one name.
  EXPECT_EQ(canonical(parse_distribution("file:" + path + ",window=0"), KeyType::u32, 100'000).text, all);
}

TEST_F(FileKeys, AreReadInRanges) {
  const auto keys = random_keys<std::uint64_t>(50'000);
  const std::string path = write("keys.npy", npy(header_for("<u8", keys.size()), bytes_from(keys)));
  const NamedDistribution named = parse_distribution("file:" + path);
  const std::vector<KeyRange> ranges{{49'000, 1000}, {3, 1}, {0, 10}};
  std::vector<std::uint64_t> read(1011);
  named.distribution->fill_ranges(make_input(named.text, KeyType::u64, keys.size()), ranges, read.data());
  EXPECT_TRUE(std::equal(read.begin(), read.begin() + 1000, keys.begin() + 49'000));
  EXPECT_EQ(read[1000], keys[3]);
  EXPECT_TRUE(std::equal(read.begin() + 1001, read.end(), keys.begin()));
}

TEST_F(FileKeys, ThatNeedATotalOrderAreKnown) {
  const auto needs = [&](const std::vector<float>& keys) {
    const std::string path = write("f.npy", npy(header_for("<f4", keys.size()), bytes_from(keys)));
    const NamedDistribution named = parse_distribution("file:" + path);
    return named.distribution->needs_total_order(make_input(named.text, KeyType::f32, keys.size()));
  };
  EXPECT_FALSE(needs({1, -1, 0, 5}));
  EXPECT_FALSE(needs({1, -0.0F, -1}));
  EXPECT_TRUE(needs({1, 0.0F, -0.0F}));
  EXPECT_TRUE(needs({1, std::numeric_limits<float>::quiet_NaN()}));
}

TEST_F(FileKeys, ThatChangedAreNotRead) {
  const auto keys = random_keys<std::uint32_t>(1000);
  const std::string bytes = npy(header_for("<u4", keys.size()), bytes_from(keys));
  const std::string path = write("keys.npy", bytes);
  const NamedDistribution named = parse_distribution("file:" + path);
  std::vector<std::uint32_t> made(1000);
  const auto fill = [&] { named.distribution->fill(make_input(named.text, KeyType::u32, 1000), made.data(), 1); };
  fill();
  const KeyFile* const file = key_file(named.parameters.word("digest"));
  ASSERT_NE(file, nullptr);
  const KeyFileReader reader{*file};
  std::filesystem::resize_file(path, bytes.size() - 4);
  std::byte last[4];
  EXPECT_EQ(refusal_by([&] { reader.read(999, 1, last); }), "file keys.npy: became shorter while it was read");
  EXPECT_EQ(refusal_by([&] { reader.check_unchanged(); }), "file keys.npy: changed while it was read");
  EXPECT_EQ(refusal_by(fill), "file keys.npy: changed after it was read first");
  std::filesystem::remove(path);
  EXPECT_EQ(refusal_by(fill), "file keys.npy: can no longer be opened");
}

TEST_F(FileKeys, AreKnownToAWorkerByTheirFacts) {
  const auto keys = random_keys<std::uint32_t>(10);
  const std::string path = write("a,b 1%.npy", npy(header_for("<u4", keys.size()), bytes_from(keys)));
  const NamedDistribution named = parse_distribution("file:" + path);
  EXPECT_TRUE(named.text.starts_with("file:name=a%2Cb 1%25.npy,digest=")) << named.text;
  EXPECT_EQ(parse_distribution(named.text).text, named.text);
  const KeyFile file = *key_file(named.parameters.word("digest"));
  const KeyFile again = key_file_from_text(to_text(file));
  EXPECT_EQ(again.path, path);
  EXPECT_EQ(again.digest, file.digest);
  EXPECT_EQ(again.identity, file.identity);
  EXPECT_EQ(again.n, 10);
}

TEST_F(FileKeys, ThatCannotBeReadAreRefusedInOneLine) {
  const std::string four(16, 'x');
  const auto said = [&](const std::string& name, const std::string& bytes) {
    const std::string path = write(name, bytes);
    return refusal_by([&] { parse_distribution("file:" + path); });
  };
  const auto holds = [](const std::string& message, const std::string& text) {
    return message.find(text) != std::string::npos && message.find('\n') == std::string::npos
               ? testing::AssertionSuccess()
               : testing::AssertionFailure() << message;
  };
  EXPECT_TRUE(holds(said("a.npy", npy(header_for(">u4", 4), four)), "big-endian keys (>u4); cast them"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<i2", 8), four)),
                    "<i2, which no sort takes; cast it in NumPy: "
                    ".astype('<i4')"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<f2", 8), four)), ".astype('<f4')"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<M8[ns]", 2), four)), ".view('<i8')"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("|O", 2), four)), "Python objects"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<U1", 4), four)), "<U1, which no sort takes"));
  EXPECT_TRUE(holds(said("a.npy", npy("{'descr': '<u4', 'fortran_order': True, 'shape': (4,), }", four)), "Fortran"));
  EXPECT_TRUE(
      holds(said("a.npy", npy("{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2), }", four)), "2 dimensions"));
  EXPECT_TRUE(
      holds(said("a.npy", npy("{'descr': '<u4', 'fortran_order': False, 'shape': (), }", four)), "0 dimensions"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<u4", 5), four)), "holds 16 bytes after its header"));
  EXPECT_TRUE(holds(said("a.npy", npy(header_for("<u4", 3), four)), "says 3 elements of 4 bytes"));
  EXPECT_TRUE(holds(said("a.npy", "\x93NUMPY\x01"), "ends within its header"));
  EXPECT_TRUE(holds(said("a.npy", "text"), "does not begin as such a file does"));
  EXPECT_TRUE(holds(said("a.bin", "text"), "add their type, as --key u64"));
  EXPECT_TRUE(holds(refusal_by([&] { parse_distribution("file:" + write("b.bin", "12345") + ",key=u32"); }),
                    "no multiple of the 4 bytes of u32"));
  EXPECT_TRUE(holds(refusal_by([&] { parse_distribution("file:" + folder_.path().string()); }), "is a folder"));
  EXPECT_TRUE(holds(refusal_by([&] { parse_distribution("file:" + folder_.file("none.npy")); }), "No such file"));
  ASSERT_EQ(mkfifo(folder_.file("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(holds(refusal_by([&] { parse_distribution("file:" + folder_.file("pipe")); }), "is a pipe"));
  EXPECT_TRUE(holds(refusal_by([] { parse_distribution("file:name=a.npy,digest=12"); }), "16 hexadecimal digits"));
  EXPECT_TRUE(holds(refusal_by([] { parse_distribution("file:/dev/null"); }), "a device"));
}

/// One change that a disk, a transfer or somebody malicious makes.
std::string damaged(std::string bytes, std::mt19937_64& random) {
  const std::size_t header = std::min<std::size_t>(bytes.size(), 128);
  if (header < 16) return bytes;
  switch (random() % 6) {
    case 0: bytes[random() % header] = static_cast<char>(random()); break;
    case 1: bytes.resize(random() % bytes.size()); break;
    case 2: bytes.insert(random() % header, 1, static_cast<char>(random())); break;
    case 3: bytes.erase(random() % header, 1 + random() % 8); break;
    case 4: {
      static constexpr std::string_view pieces[] = {
          "(", ")", "'",       "[", "]",  ",",  "9", "-", "L", "True", "('x', '<u8')", "18446744073709551615",
          "{", "}", "'shape'", ">", "|O", "1e9"};
      bytes.insert(10 + random() % (header - 10), pieces[random() % std::size(pieces)]);
      break;
    }
    default: std::swap(bytes[random() % header], bytes[random() % header]);
  }
  return bytes;
}

TEST_F(FileKeys, OfDamagedFilesAreRightOrRefused) {
  const auto keys = random_keys<std::uint32_t>(64);
  const std::string plain = npy(header_for("<u4", 64), bytes_from(keys));
  const std::string structured = npy(
      "{'descr': [('a', '<u4'), ('b', '<u4', (1,))], 'fortran_order': False, 'shape': (32,), }", bytes_from(keys), 2);
  std::mt19937_64 random{47};
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string bytes = damaged(i % 2 == 0 ? plain : structured, random);
    if (i % 5 == 0) bytes = damaged(bytes, random);
    const std::string path = write("damaged.npy", bytes);
    KeyFile file;
    const std::string message =
        refusal_by([&] { file = open_key_file({.path = path, .column = i % 2 == 0 ? "" : "a"}); });
    if (!message.empty()) {
      ++refused;
      EXPECT_TRUE(message.starts_with("file " + path + ": "));
      continue;
    }
    // The array ends with the file, and each key lies in it.
    const std::uint32_t width = byte_size(file.key);
    if (file.n == 0) continue;
    ASSERT_LE(file.begin + (file.n - 1) * file.step + width, bytes.size());
    ASSERT_GE(file.begin + file.n * file.step, bytes.size());
    std::string read(file.n * width, '\0');
    KeyFileReader{file}.read(0, file.n, reinterpret_cast<std::byte*>(read.data()));
    for (std::uint64_t k = 0; k < file.n; ++k) {
      ASSERT_EQ(read.compare(k * width, width, bytes, file.begin + k * file.step, width), 0);
    }
  }
  EXPECT_GT(refused, 1000);
}

}  // namespace
}  // namespace sortlab

// Output is complete or not there: whatever fails, and whenever.
#include "io/files/atomic_file.hpp"

#include <sys/stat.h>

#include <cerrno>

#include "unit/io/io_testing.hpp"

namespace {

int synced_files = 0;
int sync_failure = 0;  // errno of the next fsync; 0: it succeeds
std::vector<std::string> synced_names;

}  // namespace

// The linker puts this in place of fsync (CMakeLists.txt).
extern "C" int __real_fsync(int file);
extern "C" int __wrap_fsync(int file) {
  ++synced_files;
  std::error_code none;
  const auto link = std::filesystem::path("/proc/self/fd") / std::to_string(file);
  synced_names.push_back(std::filesystem::read_symlink(link, none).string());
  if (sync_failure != 0) {
    errno = std::exchange(sync_failure, 0);
    return -1;
  }
  return __real_fsync(file);
}

namespace gossamer::testing {
namespace {

class atomic_files : public own_folder {};

TEST_F(atomic_files, appear_when_committed_and_not_before) {
  {
    io::atomic_file file(in("a"));
    file.write("hello ");
    file.write("world");
    EXPECT_EQ(file.size(), 11);
    EXPECT_FALSE(std::filesystem::exists(in("a")));
    file.commit();
  }
  EXPECT_EQ(slurp(in("a")), "hello world");
  EXPECT_EQ(files(), 1u);
}

TEST_F(atomic_files, leave_the_old_file_alone_when_given_up) {
  spill(in("a"), "old");
  { io::atomic_file(in("a")).write("half"); }
  EXPECT_EQ(slurp(in("a")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(atomic_files, keep_permissions_and_symbolic_links) {
  spill(in("a"), "old");
  ASSERT_EQ(::chmod(in("a").c_str(), 0640), 0);
  std::filesystem::create_symlink("a", in("link"));
  io::atomic_file file(in("link"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(in("link")));
  EXPECT_EQ(slurp(in("a")), "new");
  struct stat about {};
  ASSERT_EQ(::stat(in("a").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0640u);
}

TEST_F(atomic_files, create_what_a_dangling_link_names) {
  std::filesystem::create_directory(in("there"));
  std::filesystem::create_symlink("there/b", in("second"));
  std::filesystem::create_symlink("second", in("first"));
  io::atomic_file file(in("first"));
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(in("first")));
  EXPECT_TRUE(std::filesystem::is_symlink(in("second")));
  EXPECT_EQ(slurp(in("there/b")), "new");
}

TEST_F(atomic_files, a_link_to_itself_is_refused_or_replaced_but_not_followed_forever) {
  std::filesystem::create_symlink("loop", in("loop"));
  try {
    io::atomic_file file(in("loop"));
    file.write("new");
    file.commit();
    EXPECT_EQ(slurp(in("loop")), "new");
  } catch (const error& refused) {
    EXPECT_EQ(refused.kind(), error_kind::io_failure);
  }
}

TEST_F(atomic_files, devices_are_written_directly) {
  io::atomic_file file("/dev/null");
  file.write("gone");
  file.commit();
  struct stat about {};
  ASSERT_EQ(::stat("/dev/null", &about), 0);
  EXPECT_TRUE(S_ISCHR(about.st_mode));
}

TEST_F(atomic_files, say_why_a_place_cannot_be_written) {
  const auto missing = error_text([&] { io::atomic_file(in("no/such/folder/a")); });
  EXPECT_TRUE(missing.starts_with("input/output failure: ")) << missing;
  EXPECT_NE(missing.find("No such file or directory"), missing.npos);
  const auto folder = error_text([&] { io::atomic_file(in(".")); });
  EXPECT_NE(folder.find("Is a directory"), folder.npos) << folder;
  const auto full = error_text([] { io::atomic_file("/dev/full").write("x"); });
  EXPECT_NE(full.find("No space left"), full.npos) << full;
}

TEST_F(atomic_files, reach_the_disk_before_they_get_their_name) {
  if (!GOSSAMER_COUNTS_FSYNC) GTEST_SKIP() << "a shared library calls fsync by itself";
  io::atomic_file file(in("a"));
  file.write("lasting");
  const int before = synced_files;
  synced_names.clear();
  file.commit();
  EXPECT_EQ(synced_files, before + 2);  // the file, then its folder
  ASSERT_EQ(synced_names.size(), 2u);
  EXPECT_NE(synced_names[0].find(".part"), std::string::npos) << "not synced before the rename";
  EXPECT_EQ(synced_names[1].find(".part"), std::string::npos);
}

TEST_F(atomic_files, that_do_not_reach_the_disk_are_not_there) {
  if (!GOSSAMER_COUNTS_FSYNC) GTEST_SKIP() << "a shared library calls fsync by itself";
  spill(in("a"), "old");
  const auto text = error_text([&] {
    io::atomic_file file(in("a"));
    file.write("new");
    sync_failure = EIO;
    file.commit();
  });
  EXPECT_NE(text.find("the disk refused it: Input/output error"), text.npos) << text;
  EXPECT_EQ(slurp(in("a")), "old");
  EXPECT_EQ(files(), 1u);
}

TEST_F(atomic_files, a_signal_handler_can_remove_what_is_unfinished) {
  io::atomic_file one(in("one")), two(in("two"));
  one.write("1");
  two.write("2");
  EXPECT_EQ(files(), 2u);
  remove_unfinished_files();
  EXPECT_EQ(files(), 0u);
}

TEST_F(atomic_files, committed_files_are_not_unfinished) {
  io::atomic_file file(in("a"));
  file.write("done");
  file.commit();
  remove_unfinished_files();
  EXPECT_EQ(slurp(in("a")), "done");
}

TEST_F(atomic_files, more_than_can_be_cleaned_up_are_refused) {
  std::vector<std::unique_ptr<io::atomic_file>> open;
  const auto text = error_text([&] {
    for (int k = 0; k < 1000; ++k)
      open.push_back(std::make_unique<io::atomic_file>(in(std::to_string(k))));
  });
  EXPECT_NE(text.find("at once"), text.npos) << text;
  EXPECT_EQ(open.size(), 64u);
  open.clear();
  EXPECT_EQ(files(), 0u);
}

}  // namespace
}  // namespace gossamer::testing

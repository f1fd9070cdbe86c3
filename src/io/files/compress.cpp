#include "io/files/compress.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>

#include "base/text.hpp"

namespace gossamer::io {

namespace {

constexpr int gzip_window = 15 + 16;                        // zlib's code for the gzip format
constexpr int raw_window = -15;                             // and "no wrapper"
constexpr std::size_t most_at_once = std::size_t{1} << 30;  // zlib counts in 32 bits

Bytef* unconst(const char* data) {  // zlib's next_in is not const, but is only read
  return reinterpret_cast<Bytef*>(const_cast<char*>(data));
}

class inflater {
 public:
  explicit inflater(int window) {
    if (inflateInit2(&stream_, window) != Z_OK)
      throw fail(error_kind::out_of_memory, "zlib could not be started: no memory");
  }
  inflater(const inflater&) = delete;
  inflater& operator=(const inflater&) = delete;
  ~inflater() { inflateEnd(&stream_); }

  /// One step; moves `from` on and returns zlib's answer with the number of bytes put into `to`.
  struct step_result {
    int answer;
    std::size_t produced;
  };
  step_result step(std::string_view& from, char* to, std::size_t room) {
    stream_.next_in = unconst(from.data());
    stream_.avail_in = static_cast<uInt>(std::min(from.size(), most_at_once));
    stream_.next_out = reinterpret_cast<Bytef*>(to);
    stream_.avail_out = static_cast<uInt>(std::min(room, most_at_once));
    const uInt in = stream_.avail_in, out = stream_.avail_out;
    const int answer = inflate(&stream_, Z_NO_FLUSH);
    from.remove_prefix(in - stream_.avail_in);
    return {answer, out - stream_.avail_out};
  }
  void restart() { inflateReset(&stream_); }
  const char* message() const { return stream_.msg ? stream_.msg : "the data is damaged"; }

 private:
  z_stream stream_{};
};

[[noreturn]] void refuse_gzip(const named_bytes& file, std::string_view rest,
                              std::string_view what) {
  throw fail(error_kind::bad_input, "{}: gzip: {} (near byte {} of {})", file.name, what,
             file.bytes.size() - rest.size(), file.bytes.size());
}

/// After a member: true when another one follows. Zeros after the last one are padding (tapes).
bool another_member(const named_bytes& file, std::string_view rest) {
  if (rest.find_first_not_of('\0') == rest.npos) return false;
  if (!looks_like_gzip(rest)) refuse_gzip(file, rest, "bytes follow that are no gzip data");
  return true;
}

/// Inflates member after member until done, or until `enough` bytes are there.
template <class Consumed>
inflated_prefix inflate_members(const named_bytes& file, const read_options& how,
                                std::size_t enough, Consumed&& consumed) {
  constexpr std::size_t piece = 1 << 22;
  inflated_prefix result;
  auto& out = result.contents;
  std::string_view rest = file.bytes;
  inflater zlib(gzip_window);
  while (out.size() < enough) {
    if (out.spare_size() == 0)
      out.reserve(out.size() + std::max<std::size_t>(out.size() / 2, 1 << 16));
    const auto room = std::min(out.spare_size(), piece);  // pieces, so that progress is seen
    const auto [answer, produced] = zlib.step(rest, out.spare(), room);
    out.used(produced);
    require_inflatable(how, file.name, out.size(), file.bytes.size());
    consumed(file.bytes.size() - rest.size());
    if (answer == Z_STREAM_END) {
      if (!another_member(file, rest)) {
        result.complete = true;
        return result;
      }
      zlib.restart();
    } else if (answer == Z_MEM_ERROR) {
      throw fail(error_kind::out_of_memory, "{}: zlib has no memory", file.name);
    } else if (answer == Z_BUF_ERROR || (answer == Z_OK && rest.empty() && produced < room)) {
      refuse_gzip(file, rest, "the file ends in the middle of the compressed data; it is cut off");
    } else if (answer != Z_OK) {
      refuse_gzip(file, rest, zlib.message());
    }
  }
  return result;
}

}  // namespace

void growing_bytes::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  char* const grown = static_cast<char*>(std::realloc(data_.get(), capacity));
  if (!grown)
    throw fail(error_kind::out_of_memory, "the system refused {} of memory for inflated data",
               bytes_text(static_cast<index_t>(capacity)));
  static_cast<void>(data_.release());
  data_.reset(grown);
  capacity_ = capacity;
}

bool looks_like_gzip(std::string_view bytes) { return bytes.starts_with("\x1f\x8b"); }

growing_bytes inflate_gzip(const named_bytes& file, const read_options& how) {
  const auto all = static_cast<double>(file.bytes.size());
  auto whole =
      inflate_members(file, how, std::numeric_limits<std::size_t>::max(), [&](std::size_t used) {
        report(how.progress, "inflating", static_cast<double>(used) / all);
      });
  return std::move(whole.contents);
}

inflated_prefix inflate_gzip_prefix(const named_bytes& file, const read_options& how,
                                    std::size_t wanted) {
  return inflate_members(file, how, wanted, [](std::size_t) {});
}

std::optional<std::string> inflate_raw(std::string_view from, char* to, std::size_t size) {
  inflater zlib(raw_window);
  char overflow = 0;  // an empty output still needs an address, and one byte shows an excess
  for (std::size_t filled = 0;;) {
    const bool full = filled == size;
    const auto [answer, produced] =
        zlib.step(from, full ? &overflow : to + filled, full ? 1 : size - filled);
    if (full && produced > 0) return "the compressed data is longer than its directory entry says";
    filled += produced;
    if (answer == Z_STREAM_END)
      return filled == size ? std::nullopt
                            : std::optional<std::string>(formatted(
                                  "the compressed data ends after {} of {} bytes", filled, size));
    if (answer == Z_BUF_ERROR || (answer == Z_OK && produced == 0 && from.empty()))
      return "the compressed data is cut off";
    if (answer != Z_OK) return zlib.message();
  }
}

std::size_t inflate_raw_prefix(std::string_view from, char* to, std::size_t size) {
  inflater zlib(raw_window);
  std::size_t filled = 0;
  while (filled < size) {
    const auto [answer, produced] = zlib.step(from, to + filled, size - filled);
    filled += produced;
    if (answer != Z_OK || (produced == 0 && from.empty())) break;
  }
  return filled;
}

std::string deflate_block(std::string_view block, deflate_form form) {
  z_stream stream{};
  const int window = form == deflate_form::gzip_member ? gzip_window : raw_window;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    throw fail(error_kind::out_of_memory, "zlib could not be started: no memory");
  const struct closer {
    z_stream* stream;
    ~closer() { deflateEnd(stream); }
  } at_end{&stream};
  std::string out(deflateBound(&stream, static_cast<uLong>(block.size())) + 16, '\0');
  stream.next_in = unconst(block.data());
  stream.avail_in = static_cast<uInt>(block.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const bool last = form != deflate_form::raw_piece;
  const int answer = deflate(&stream, last ? Z_FINISH : Z_FULL_FLUSH);
  if (answer != (last ? Z_STREAM_END : Z_OK))
    throw fail(error_kind::io_failure, "zlib failed to compress a block of {} bytes", block.size());
  out.erase(out.size() - stream.avail_out);
  return out;
}

}  // namespace gossamer::io

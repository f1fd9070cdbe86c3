#include "cli/explore/serve.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.hpp"

namespace gossamer::cli {

namespace {

constexpr std::size_t longest_request = 16384;
constexpr int request_seconds = 5;  // a client that says nothing does not stop the others for long

class socket_handle {
 public:
  explicit socket_handle(int descriptor) : descriptor_(descriptor) {}
  socket_handle(const socket_handle&) = delete;
  socket_handle& operator=(const socket_handle&) = delete;
  ~socket_handle() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

[[noreturn]] void refuse(const char* what, int port) {
  throw fail(error_kind::io_failure, "port {} of 127.0.0.1 {}: {}; --port names another", port,
             what, std::strerror(errno));
}

int bound_port(int listener) {
  sockaddr_in address{};
  socklen_t size = sizeof address;
  getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size);
  return ntohs(address.sin_port);
}

void listen_on(const socket_handle& listener, int port) {
  const int yes = 1;
  setsockopt(listener.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  if (bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    refuse("cannot be used", port);
  if (listen(listener.get(), 16) != 0) refuse("takes no connections", port);
}

/// The first line of a request; empty when the client ends, waits too long or talks too much.
std::string request_line(int client) {
  const timeval limit{request_seconds, 0};
  setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
  setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  std::string text;
  char piece[1024];
  while (text.find("\r\n\r\n") == std::string::npos) {
    const auto got = recv(client, piece, sizeof piece, 0);
    if (got <= 0 || text.size() > longest_request) return "";
    text.append(piece, static_cast<std::size_t>(got));
  }
  return text.substr(0, text.find("\r\n"));
}

void send_all(int client, std::string_view text) {
  while (!text.empty()) {
    const auto sent = send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(sent));
  }
}

void answer(int client, const std::string& page) {
  const std::string line = request_line(client);
  const bool head = line.starts_with("HEAD / ");
  if (!head && !line.starts_with("GET / ")) {
    if (!line.empty())
      send_all(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  send_all(client, formatted("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
                             "Content-Length: {}\r\nConnection: close\r\n\r\n",
                             page.size()));
  if (!head) send_all(client, page);
}

}  // namespace

void serve_page(const std::string& page, int port,
                const std::function<void(const std::string& address)>& ready) {
  const socket_handle listener(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (!listener) refuse("cannot be opened", port);
  listen_on(listener, port);
  ready(formatted("http://127.0.0.1:{}/", bound_port(listener.get())));
  for (;;) {
    const socket_handle client(accept(listener.get(), nullptr, nullptr));
    if (client)
      answer(client.get(), page);
    else if (errno != EINTR && errno != ECONNABORTED)
      refuse("takes no more connections", port);
  }
}

}  // namespace gossamer::cli

// One page over HTTP, for the browser of this machine.
#pragma once

#include <functional>
#include <string>

namespace gossamer::cli {

/// Answers every request for / with the page until the process is ended. Listens on 127.0.0.1 only;
/// port 0 takes a free one. `ready` is told the address once connections are accepted. Throws
/// error(io_failure) when the port is taken.
void serve_page(const std::string& page, int port,
                const std::function<void(const std::string& address)>& ready);

}  // namespace gossamer::cli

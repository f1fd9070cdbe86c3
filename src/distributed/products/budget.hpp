// What a product may still allocate on this rank.
#pragma once

#include "base/limited_memory.hpp"
#include "gossamer/context.hpp"
#include "gossamer/plan.hpp"

namespace gossamer::mpi {

/// A context whose memory keeps a limit, which every array of a product is counted against.
class budget {
 public:
  budget(const context& where, index_t limit) : where_(where) {
    if (limit == 0) return;
    source_ = std::make_shared<limited_memory>(where.memory(), limit);
    where_ = where.with_memory(source_);
  }

  const context& where() const noexcept { return where_; }
  bool limited() const noexcept { return source_ != nullptr; }
  index_t held() const { return source_ ? source_->held() : 0; }
  index_t limit() const { return source_ ? source_->limit() : 0; }
  index_t left() const { return limit() - held(); }
  /// Options of a local product: it may allocate what is left. Throws when that is nothing.
  options within(options how) const {
    how.memory_limit = 0;
    if (!limited()) return how;
    if (left() <= 0)
      throw fail(error_kind::memory_limit,
                 "{} of the limit of {} are in use before the local product; raise the limit",
                 bytes_text(held()), bytes_text(limit()));
    how.memory_limit = left();
    return how;
  }

 private:
  context where_;
  std::shared_ptr<limited_memory> source_;
};

}  // namespace gossamer::mpi

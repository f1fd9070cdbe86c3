#include "plan/implementation.hpp"

#include "base/text.hpp"

namespace gossamer {

const explanation& plan::explain() const { return impl_->chosen.why; }
const std::string& plan::kernel() const { return impl_->kernel_id; }
extents plan::result_shape() const {
  const auto& p = impl_->problem;
  return p.dense.turned ? transposed(p.result) : p.result;
}

index_t plan::result_nnz() const {
  if (impl_->problem.operation != operation::spgemm)
    throw fail(error_kind::bad_argument,
               "result_nnz() was asked of a plan for {}; only sparse products have one",
               name(impl_->problem.operation));
  return impl_->state.spgemm.result_nnz;
}

std::string problem::text() const {
  std::string line = formatted("{} = {} times {}", shape_text(result), describe(a, "A"),
                               describe(b, operation == operation::spmv ? "x" : "B"));
  if (backend != backend::cuda)
    line += formatted(", {} {}", threads, threads == 1 ? "thread" : "threads");
  if (rows.at_least() > 0)
    line += formatted(", a row of at least {} nonzeros", count_text(rows.at_least()));
  if (operation == operation::spgemm && (backend != backend::cuda || spgemm.flop > 0))
    line += formatted(", {} multiplications", count_text(spgemm.flop));
  if (options.semiring != semiring::plus_times)
    line += formatted(", over {}", name(options.semiring));
  if (options.mask)
    line += formatted(", {}mask of {} entries", options.mask->complemented ? "complemented " : "",
                      count_text(options.mask->nnz()));
  if (options.drop_zeros) line += ", without zeros";
  if (options.keep.magnitude > 0)
    line += formatted(", magnitudes of at least {}", options.keep.magnitude);
  if (options.keep.largest > 0)
    line += formatted(", the {} largest of each row", count_text(options.keep.largest));
  return line;
}

}  // namespace gossamer

// Products and plans of the C interface.
#include "c_api/handles.hpp"
#include "formats/operand.hpp"
#include "gossamer/complex.hpp"

using namespace gossamer;
using namespace gossamer::c_api;

namespace {

extents shape_of(const operand& o) {
  return std::visit(
      [](const auto& e) {
        const extents stored = std::visit([](const auto& v) { return v.shape; }, e.view);
        return e.transposed ? transposed(stored) : stored;
      },
      o);
}

/// Calls f(x, addend or null, y) with vectors that fit A.
template <class F>
void with_vectors(const context& where, const operand& a, const void* x, double beta, void* y,
                  F&& f) {
  const extents shape = shape_of(a);
  std::visit(
      [&]<class T>(const expression<T>&) {
        const auto from = vector_of<T>(where, const_cast<void*>(x), shape.cols);
        const auto to = vector_of<T>(where, y, shape.rows);
        const operand addend = scaled(cast<T>(beta), to);
        f(operand(express(from)), beta == 0 ? nullptr : &addend, dense_target(to));
      },
      a);
}

template <class F>
void with_blocks(const context& where, const operand& a, const gossamer_dense& b, double beta,
                 const gossamer_dense& c, F&& f) {
  std::visit(
      [&]<class T>(const expression<T>&) {
        const auto to = dense_of<T>(where, c);
        const operand addend = scaled(cast<T>(beta), to);
        f(operand(express(dense_of<T>(where, b))), beta == 0 ? nullptr : &addend, dense_target(to));
      },
      a);
}

void give_plan(gossamer_plan** out, plan prepared, const context& where, const operand& a) {
  const auto type = static_cast<value_type>(a.index());
  auto explained = prepared.explain().text();
  *out = new gossamer_plan{std::move(prepared), where, type, std::move(explained)};
}

}  // namespace

gossamer_status gossamer_spmv(const gossamer_context* context, gossamer_operand a, const void* x,
                              double beta, void* y, const gossamer_options* options) {
  return guarded([&] {
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a");
    with_vectors(where, left, x, beta, y,
                 [&](const operand& from, const operand* z, const auto& to) {
                   detail::multiply_dense(where, left, from, z, to, options_of(options));
                 });
  });
}

gossamer_status gossamer_spmm(const gossamer_context* context, gossamer_operand a, gossamer_dense b,
                              double beta, gossamer_dense c, const gossamer_options* options) {
  return guarded([&] {
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a");
    with_blocks(where, left, b, beta, c,
                [&](const operand& from, const operand* z, const auto& to) {
                  detail::multiply_dense(where, left, from, z, to, options_of(options));
                });
  });
}

gossamer_status gossamer_spgemm(const gossamer_context* context, gossamer_operand a,
                                gossamer_operand b, const gossamer_options* options,
                                gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    give(out, detail::multiply_sparse(required(context, "context").where, operand_of(a, "a"),
                                      operand_of(b, "b"), options_of(options)));
  });
}

gossamer_status gossamer_spgemm_add(const gossamer_context* context, gossamer_operand a,
                                    gossamer_operand b, gossamer_operand z,
                                    const gossamer_options* options, gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    give(out, detail::multiply_added(required(context, "context").where, operand_of(a, "a"),
                                     operand_of(b, "b"), operand_of(z, "z"), options_of(options)));
  });
}

gossamer_status gossamer_triple_product(const gossamer_context* context, gossamer_operand a,
                                        gossamer_operand b, gossamer_operand c,
                                        const gossamer_options* options, gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    give(out, detail::multiply_three(required(context, "context").where, operand_of(a, "a"),
                                     operand_of(b, "b"), operand_of(c, "c"), options_of(options),
                                     nullptr));
  });
}

gossamer_status gossamer_add(const gossamer_context* context, gossamer_operand a,
                             gossamer_operand b, gossamer_matrix** out) {
  return guarded([&] {
    required(out, "out");
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a"), right = operand_of(b, "b");
    std::visit(
        [&]<class T>(const expression<T>& e) {
          const auto* const other = std::get_if<expression<T>>(&right);
          if (!other)
            throw fail(error_kind::bad_argument, "a and b have values of different types");
          give(out, add(where, e, *other));
        },
        left);
  });
}

gossamer_status gossamer_plan_spmv(const gossamer_context* context, gossamer_operand a,
                                   const void* x, void* y, const gossamer_options* options,
                                   gossamer_plan** out) {
  return guarded([&] {
    required(out, "out");
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a");
    with_vectors(where, left, x, 0, y, [&](const operand& from, const operand* z, const auto& to) {
      give_plan(out, detail::inspect_dense(where, left, from, z, to, options_of(options)), where,
                left);
    });
  });
}

gossamer_status gossamer_plan_spmm(const gossamer_context* context, gossamer_operand a,
                                   gossamer_dense b, gossamer_dense c,
                                   const gossamer_options* options, gossamer_plan** out) {
  return guarded([&] {
    required(out, "out");
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a");
    with_blocks(where, left, b, 0, c, [&](const operand& from, const operand* z, const auto& to) {
      give_plan(out, detail::inspect_dense(where, left, from, z, to, options_of(options)), where,
                left);
    });
  });
}

gossamer_status gossamer_plan_spgemm(const gossamer_context* context, gossamer_operand a,
                                     gossamer_operand b, const gossamer_options* options,
                                     gossamer_plan** out) {
  return guarded([&] {
    required(out, "out");
    const auto& where = required(context, "context").where;
    const operand left = operand_of(a, "a");
    give_plan(out, detail::compute_sparse(where, left, operand_of(b, "b"), options_of(options)),
              where, left);
  });
}

gossamer_status gossamer_run_spmv(const gossamer_plan* plan, gossamer_operand a, const void* x,
                                  double beta, void* y) {
  return guarded([&] {
    const auto& p = required(plan, "plan");
    const operand left = operand_of(a, "a");
    with_vectors(p.where, left, x, beta, y,
                 [&](const operand& from, const operand* z, const auto& to) {
                   detail::multiply_dense(p.prepared, left, from, z, to);
                 });
  });
}

gossamer_status gossamer_run_spmm(const gossamer_plan* plan, gossamer_operand a, gossamer_dense b,
                                  double beta, gossamer_dense c) {
  return guarded([&] {
    const auto& p = required(plan, "plan");
    const operand left = operand_of(a, "a");
    with_blocks(p.where, left, b, beta, c,
                [&](const operand& from, const operand* z, const auto& to) {
                  detail::multiply_dense(p.prepared, left, from, z, to);
                });
  });
}

gossamer_status gossamer_run_spgemm(const gossamer_plan* plan, gossamer_operand a,
                                    gossamer_operand b, gossamer_matrix** c) {
  return guarded([&] {
    const auto& p = required(plan, "plan");
    const operand left = operand_of(a, "a"), right = operand_of(b, "b");
    const auto fill = [&]<class T>() {
      const extents shape = p.prepared.result_shape();
      const index_t nnz = p.prepared.result_nnz();
      if (required(c, "c") != nullptr) {
        auto* const any = std::get_if<detail::any_matrix<T>>(&(*c)->held);
        auto* const owner = any ? std::get_if<csr_matrix<T>>(any) : nullptr;
        if (!owner)
          throw fail(error_kind::bad_argument, "c is no result of this plan; pass a null pointer");
        return detail::fill_sparse(p.prepared, left, right, owner->mutable_view());
      }
      csr_matrix<T> made(shape, nnz, narrowest(shape, nnz), p.where.memory());
      detail::fill_sparse(p.prepared, left, right, made.mutable_view());
      give(c, std::move(made));
    };
    with_value_type(p.values, fill);
  });
}

const char* gossamer_plan_kernel(const gossamer_plan* plan) {
  return plan ? plan->prepared.kernel().c_str() : "";
}
const char* gossamer_plan_explain(const gossamer_plan* plan) {
  return plan ? plan->explained.c_str() : "";
}

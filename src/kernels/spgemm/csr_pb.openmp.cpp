// C = alpha A B by propagation blocking (Gu, Moreira, Edelsohn, Azad 2020, PB-SpGEMM): outer
// products of columns of A and rows of B are expanded to tuples in bins of consecutive rows, every
// bin is sorted and compressed in cache, and the bins concatenated are C. All phases stream; the
// price is to write and read one tuple per multiplication. Tuples are in the order of the inner
// index and the sort is stable, so results are bitwise reproducible for any number of threads, bins
// or slices.
//
// Under a memory limit (and with sockets=n) A is split into row slices that are multiplied one
// after the other. A plan keeps the row sizes of C; filling it runs the phases again.
#include "base/text.hpp"
#include "kernels/spgemm/pb/pb_memory.hpp"
#include "kernels/spgemm/pb/pb_multiply.hpp"
#include "plan/costs.hpp"

namespace gossamer {

namespace {

// ---- memory ---------------------------------------------------------------------------------

index_t table_bytes(const pb_plan& plan) {
  return (plan.products.size() + plan.offsets.size()) * index_t{sizeof(index_t)} +
         (plan.a ? plan.a->bytes() : 0) + (plan.b ? plan.b->bytes() : 0);
}

/// Bytes in use during the largest slice, the layout itself included.
index_t working_bytes(const pb_plan& plan, const problem& p, index_view a_offsets) {
  index_t most = 0, layout = 0;
  for (const auto& slice : plan.layout.slices) {
    const index_t entries = a_offsets[slice.rows.end] - a_offsets[slice.rows.begin];
    most = std::max(most, pb_slice_bytes(p, plan.settings, plan.team,
                                         {slice.products, entries, slice.bins(), slice.largest_bin,
                                          plan.layout.wide}));
    layout += pb_layout_bytes(1, slice.bins());
  }
  return most + layout;
}

/// Splits A into slices as large as the limit allows next to C; one slice without a limit.
void cut_to_fit(pb_plan& plan, const problem& p, const operands& o) {
  const auto products = plan.products.span();
  if (!p.spgemm.counted) {
    plan.layout = lay_out_bins(p, products, plan.settings, std::max<index_t>(products.back(), 1));
    return;
  }
  const auto a_offsets = offsets_of(o.a, plan.a.get());
  const index_t tables = plan.products.size() * index_t{sizeof(index_t)};
  const index_t free_bytes = p.options.memory_limit - p.spgemm.counted->held - tables;
  const index_t least = pb_least_slice(p);
  for (index_t most = std::max({products.back(), p.a.nnz, least});;
       most = std::max(most / 2, least)) {
    plan.layout = lay_out_bins(p, products, plan.settings, most, a_offsets);
    if (working_bytes(plan, p, a_offsets) <= free_bytes) return;
    if (most > least) continue;
    if (plan.team == 1)
      throw fail(error_kind::memory_limit,
                 "spgemm/csr/pb/openmp holds {} for a slice of {} products, and the limit of {} "
                 "leaves {} beside C; raise the limit, or use another algorithm",
                 bytes_text(working_bytes(plan, p, a_offsets)), count_text(most),
                 bytes_text(p.options.memory_limit), bytes_text(std::max<index_t>(free_bytes, 0)));
    plan.team = std::max(plan.team / 2, 1);
  }
}

// ---- the kernel -----------------------------------------------------------------------------

pb_plan begin_plan(const problem& p, const operands& o, const context& where, pb_phases& phases) {
  const auto start = pb_clock::now();
  pb_plan plan{.settings = pb_settings(p.options.tuning)};
  plan.counted = o.counted;
  plan.a = o.counted ? o.counted->a : index_rows(o.a, where);
  plan.b = o.counted ? o.counted->b : index_rows(o.b, where);
  plan.result = p.result;
  plan.team = team_for_products(p.spgemm.flop, where.threads());
  plan.products = buffer<index_t>(p.result.rows + 1, where.memory());
  detail::with_row_operands(
      o, plan.a.get(), plan.b.get(), [&]<class T>(const auto& a, const auto& b) {
        parallel_ranges(plan.team, p.result.rows, 4096, [&](index_t begin, index_t end) {
          for (index_t i = begin; i < end; ++i) plan.products[i] = detail::products_of(a, b, i);
        });
      });
  prefix_sums(plan.team, plan.products.span());
  phases.symbolic.seconds += seconds_since(start);
  return plan;
}

/// Calls f.operator()<K, T>() with the key type that the layout needs.
template <class F>
decltype(auto) with_types(const pb_plan& plan, value_type values, F&& f) {
  return with_real_type(values, [&]<class T>() -> decltype(auto) {
    return plan.layout.wide ? f.template operator()<std::uint64_t, T>()
                            : f.template operator()<std::uint32_t, T>();
  });
}

csr_result multiply_once(const problem& p, const operands& o, const context& where) {
  pb_phases phases;
  pb_plan plan = begin_plan(p, o, where, phases);
  cut_to_fit(plan, p, o);
  buffer<index_t> offsets(p.result.rows + 1, where.memory());
  std::fill_n(offsets.data(), offsets.size(), index_t{0});
  return with_types(plan, p.a.values, [&]<class K, class T>() -> csr_result {
    std::vector<pb_entries<K, T>> slices;
    for (const auto& slice : plan.layout.slices)
      slices.push_back(multiply_slice<K, T>(plan, slice, o, offsets.data(), where, phases));
    const auto start = pb_clock::now();
    prefix_sums(plan.team, offsets.span());
    const index_t nnz = offsets[p.result.rows];
    csr_matrix<T> c(p.result, nnz, narrowest(p.result, nnz), where.memory());
    const auto view = c.mutable_view();
    write_offsets(view, offsets.data(), plan.team);
    phases.convert.seconds += seconds_since(start);
    const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
    for (const auto& slice : slices)
      convert_slice(plan, slice, offsets.data(), view, alpha, phases);
    phases.report(o.measured);
    return c;
  });
}

state prepare(const problem& p, const operands& o, const context& where) {
  pb_phases phases;
  auto plan = std::make_shared<pb_plan>(begin_plan(p, o, where, phases));
  cut_to_fit(*plan, p, o);
  if (o.counted)
    return {.tables = plan,
            .bytes = table_bytes(*plan),
            .phases = phases.list(),
            .spgemm = {.result_nnz = o.counted->offsets[p.result.rows]}};
  plan->offsets = buffer<index_t>(p.result.rows + 1, where.memory());
  std::fill_n(plan->offsets.data(), plan->offsets.size(), index_t{0});
  with_types(*plan, p.a.values, [&]<class K, class T>() {
    for (const auto& slice : plan->layout.slices)
      multiply_slice<K, T>(*plan, slice, o, plan->offsets.data(), where, phases);
  });
  prefix_sums(plan->team, plan->offsets.span());
  return {.tables = plan,
          .bytes = table_bytes(*plan),
          .phases = phases.list(),
          .spgemm = {.result_nnz = plan->offsets[p.result.rows]}};
}

void run(const state& prepared, const operands& o, const context& where) {
  const auto& plan = prepared.as<pb_plan>();
  pb_phases phases;
  visit_real(
      [&]<class T>(const csr_view<T>& c) {
        const index_t* offsets = (plan.counted ? plan.counted->offsets : plan.offsets).data();
        write_offsets(c, offsets, plan.team);
        const T alpha = alpha_of<T>(o.a) * alpha_of<T>(o.b);
        const auto fill = [&]<class K>() {
          for (const auto& slice : plan.layout.slices)
            convert_slice(plan, multiply_slice<K, T>(plan, slice, o, nullptr, where, phases),
                          offsets, c, alpha, phases);
        };
        plan.layout.wide ? fill.template operator()<std::uint64_t>()
                         : fill.template operator()<std::uint32_t>();
      },
      *o.sparse);
  phases.report(o.measured);
}

/// Under a limit: the smallest memory it can run in (one thread, small slices), and the predicted
/// time with as many slices as the memory requires.
verdict consider_slices(const problem& p, const machine& m, double work) {
  if (p.options.algorithm.empty() && !p.spgemm.counted->a_ascends)
    return {.because =
                "sums rows of A that are out of order in another order than the others, and "
                "a limit must not change the result"};
  const pb_settings settings(p.options.algorithm.empty() ? "" : p.options.tuning);
  const index_t most = pb_least_slice(p), bins = pb_most_bins(p, settings, most);
  const index_t slices = 2 * (p.spgemm.flop / most + p.a.nnz / most + settings.sockets);
  const index_t tables = p.spgemm.counted->held + (p.result.rows + 1) * index_t{sizeof(index_t)};
  const index_t least = pb_slice_bytes(p, settings, 1, {most, most, bins, most, true}) +
                        pb_layout_bytes(slices, bins);
  const double tuple = static_cast<double>(8 + bytes(p.a.values));
  const double free_bytes = static_cast<double>(std::max(p.options.memory_limit - tables, least));
  // Slices are halved until they fit: up to twice as many as their tuples alone would need.
  const double cuts = std::max(1.0, 2 * tuple * static_cast<double>(p.spgemm.flop) / free_bytes);
  const double columns = costs::pb_slice_column * cuts * static_cast<double>(p.a.shape.cols);
  return {.possible = true,
          .prepare_seconds = 0,
          .run_seconds = work + costs::stream(columns, m, 1),
          .bytes = tables + least,
          .because = p.reason([&] {
            return formatted(
                "{} multiplications, stored as tuples in row bins, in about {:.0f} slices of A",
                count_text(p.spgemm.flop), cuts);
          })};
}

verdict consider(const problem& p, const machine& m) {
  if (!takes_compressed(p)) return {.because = "takes CSR and CSC"};
  const int team = team_for_products(p.spgemm.flop, p.threads);
  const double flop = static_cast<double>(p.spgemm.flop);
  const index_t tuple = 4 + bytes(p.a.values);
  // Expand writes a tuple per multiplication, sorting reads it; compressing and converting, at
  // worst, write, read and write it once more. A is read and written twice to be sorted by columns.
  const double moved = 4 * flop * static_cast<double>(tuple) + 4 * costs::sparse_bytes(p.a) +
                       costs::sparse_bytes(p.b);
  const double work =
      std::max(costs::stream(moved, m, team),
               (costs::pb_product * flop + costs::pb_entry * static_cast<double>(p.a.nnz)) / team);
  const index_t tables = 2 * (p.result.rows + 1) * index_t{sizeof(index_t)};
  if (p.spgemm.counted) return consider_slices(p, m, work);
  return {.possible = true,
          .prepare_seconds = work,
          .run_seconds = work,
          .bytes = tables + p.spgemm.flop * tuple + p.a.nnz * tuple,
          .because = p.reason([&] {
            return formatted(
                "{} multiplications, stored as tuples in row bins, sorted and summed in cache",
                count_text(p.spgemm.flop));
          })};
}

}  // namespace

extern const kernel spgemm_csr_pb_openmp;
const kernel spgemm_csr_pb_openmp{
    .id = "spgemm/csr/pb/openmp",
    .summary = "propagation blocking: outer products into row bins, sorted and compressed in cache",
    .reference = "Gu, Moreira, Edelsohn, Azad 2020 (PB-SpGEMM)",
    .deterministic = true,
    .consider = consider,
    .prepare = prepare,
    .run = run,
    .parameters = pb_settings::names,
    .spgemm = {.multiply_once = multiply_once}};

}  // namespace gossamer

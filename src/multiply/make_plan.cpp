#include "multiply/make_plan.hpp"

#include "backends/cuda/runtime.hpp"

namespace gossamer::detail {

const machine& machine_of(const context& where) {
  return where.backend() == backend::cuda ? cuda::machine_of(where.device()) : this_machine();
}

std::shared_ptr<plan::implementation> make_plan(const context& where, problem p, const operands& o,
                                                choice chosen) {
  state prepared = chosen.chosen->prepare ? chosen.chosen->prepare(p, o, where) : state{};
  return keep_plan(where, std::move(p), std::move(chosen), std::move(prepared));
}

std::shared_ptr<plan::implementation> keep_plan(const context& where, problem p, choice chosen,
                                                state prepared) {
  chosen.why.phases = prepared.phases;
  std::string id(chosen.chosen->id);
  return std::make_shared<plan::implementation>(plan::implementation{
      std::move(p), where, std::move(chosen), std::move(prepared), std::move(id), {}, 0, nullptr});
}

}  // namespace gossamer::detail

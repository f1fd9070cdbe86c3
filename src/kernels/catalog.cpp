#include "kernels/catalog.hpp"

#include <vector>

namespace gossamer {

catalogue all_kernels() {
  static const auto list = [] {
    std::vector<const kernel*> all;
    for (const auto& entry : kernel_list()) all.push_back(entry.listed);
    return all;
  }();
  return list;
}

std::vector<kernel_info> kernels() {
  std::vector<kernel_info> list;
  for (const auto* k : all_kernels()) {
    const auto backend_name = path_of(*k).backend;
    const auto which = backend_name == "cuda"     ? backend::cuda
                       : backend_name == "openmp" ? backend::openmp
                                                  : backend::reference;
    auto why_not = why_not_available(which);
    const bool usable = why_not.empty();
    list.push_back({std::string(k->id), std::string(k->summary), std::string(k->reference),
                    k->deterministic, usable, std::move(why_not)});
  }
  return list;
}

}  // namespace gossamer

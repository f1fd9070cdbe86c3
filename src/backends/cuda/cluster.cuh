// Clusters: blocks that run at once and reach one another's shared memory. Devices of compute
// capability 9.0 and later have them, and only code that was compiled for those can use them.
#pragma once

#include <cooperative_groups.h>

#include <nv/target>

#include "backends/cuda/check.hpp"
#include "backends/cuda/device.hpp"

namespace gossamer::cuda {

inline constexpr int cluster_blocks = 8;  ///< supported by every device with clusters
inline constexpr int cluster_capability = 90;

/// The cluster of the running block. In code for older devices it does nothing.
struct this_cluster {
  __device__ static int rank() {
    NV_IF_TARGET(NV_PROVIDES_SM_90,
                 (return static_cast<int>(cooperative_groups::cluster_group::block_rank());))
    return 0;
  }
  /// The two halves of a barrier for all threads of the cluster.
  __device__ static void arrive() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, ((void)cooperative_groups::cluster_group::barrier_arrive();))
  }
  __device__ static void wait() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cooperative_groups::cluster_group::barrier_wait();))
  }
  /// The same address in the shared memory of the first block. Valid after all blocks have arrived
  /// once.
  template <class T>
  __device__ static T* in_first(T* place) {
    NV_IF_TARGET(NV_PROVIDES_SM_90,
                 (return cooperative_groups::cluster_group::map_shared_rank(place, 0);))
    return place;
  }
};

/// Code for older devices has no clusters in it, even if a newer device translates it for itself.
template <class... Parameters>
bool compiled_for_clusters(void (*kernel)(Parameters...)) {
  cudaFuncAttributes compiled{};
  check(cudaFuncGetAttributes(&compiled, kernel), "asking what a kernel was compiled for");
  return compiled.ptxVersion >= cluster_capability;
}

template <class... Parameters>
void launch_clusters(const context& where, index_t clusters, int threads,
                     void (*kernel)(Parameters...), const Parameters&... arguments) {
  cudaLaunchAttribute together{};
  together.id = cudaLaunchAttributeClusterDimension;
  together.val.clusterDim = {cluster_blocks, 1, 1};
  cudaLaunchConfig_t how{};
  how.gridDim = static_cast<unsigned>(clusters * cluster_blocks);
  how.blockDim = static_cast<unsigned>(threads);
  how.stream = stream_of(where);
  how.attrs = &together;
  how.numAttrs = 1;
  check(cudaLaunchKernelEx(&how, kernel, arguments...), "{} clusters of {} blocks of {} threads",
        clusters, cluster_blocks, threads);
}

}  // namespace gossamer::cuda

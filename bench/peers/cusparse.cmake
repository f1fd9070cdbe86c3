# cuSPARSE, when a CUDA toolkit is there. Plain C++: the library has the kernels.
if(NOT GOSSAMER_CUDA STREQUAL "OFF")
  find_package(CUDAToolkit QUIET)
endif()
if(NOT GOSSAMER_CUDA STREQUAL "OFF" AND TARGET CUDA::cusparse AND TARGET CUDA::cudart_static)
  gossamer_peer(cusparse)
  target_sources(gossamer_peer_cusparse PRIVATE
    cusparse/device.cpp cusparse/spmv.cpp cusparse/spmm.cpp cusparse/spgemm.cpp)
  target_include_directories(gossamer_peer_cusparse PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(gossamer_peer_cusparse PRIVATE gossamer_strict
    CUDA::cudart_static CUDA::cusparse)
  # Built here, run on the machine with the device: no code for this processor only.
  set_target_properties(gossamer_peer_cusparse PROPERTIES COMPILE_OPTIONS -O2)
endif()

# cuSPARSE, when a CUDA toolkit is there. Plain C++: the library has the kernels, ../clock those that
# keep the clock honest.
if(GOSSAMER_CUDA STREQUAL "OFF")
  set(why "left out (GOSSAMER_CUDA=OFF)")
else()
  find_package(CUDAToolkit QUIET)
  set(why "no CUDA toolkit with cuSPARSE found")
endif()
if(GOSSAMER_HAVE_CUDA AND TARGET CUDA::cusparse AND TARGET CUDA::cudart_static)
  gossamer_peer(cusparse VERSION "of CUDA ${CUDAToolkit_VERSION}"
                LIBRARIES CUDA::cudart_static CUDA::cusparse)
  target_sources(gossamer_peer_cusparse PRIVATE
    cusparse/device.cpp cusparse/spmv.cpp cusparse/spmm.cpp cusparse/spmm_bsr.cpp cusparse/spgemm.cpp
    $<TARGET_OBJECTS:gossamer_device_clock>)
  target_link_libraries(gossamer_peer_cusparse PRIVATE gossamer_strict
    CUDA::cudart_static CUDA::cusparse)
  # Built here, run on the machine with the device: no code for this processor only.
  set_target_properties(gossamer_peer_cusparse PROPERTIES COMPILE_OPTIONS -O2)
elseif(COMMAND gossamer_peer_missing)
  gossamer_peer_missing(cusparse "${why}")
endif()

# The CUDA backend, when asked for or when nvcc is there. CUDA stays inside: consumers compile with a
# plain C++ compiler; a static library is installed with the static CUDA runtime that it was built with.
set(GOSSAMER_HAVE_CUDA OFF)
if(GOSSAMER_CUDA STREQUAL "OFF")
  set(GOSSAMER_CUDA_STATUS "left out (GOSSAMER_CUDA=OFF)")
  return()
endif()

if(GOSSAMER_CUDA STREQUAL "ON")
  find_package(CUDAToolkit REQUIRED)
else()
  find_package(CUDAToolkit QUIET)
endif()
if(NOT CUDAToolkit_FOUND OR NOT CUDAToolkit_NVCC_EXECUTABLE)
  if(GOSSAMER_CUDA STREQUAL "ON")
    message(FATAL_ERROR "GOSSAMER_CUDA is ON, but the CUDA toolkit that was found has no nvcc")
  endif()
  set(GOSSAMER_CUDA_STATUS "left out (no CUDA toolkit with nvcc found)")
  return()
endif()

if(NOT CMAKE_CUDA_COMPILER)
  set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE})
endif()
if(NOT CMAKE_CUDA_HOST_COMPILER)
  set(CMAKE_CUDA_HOST_COMPILER ${CMAKE_CXX_COMPILER})
endif()
# Machine code for A100 and H100/H200, PTX for what comes after. Set before the language is enabled:
# CMake would otherwise ask a device.
if(NOT CMAKE_CUDA_ARCHITECTURES)
  set(CMAKE_CUDA_ARCHITECTURES 80-real 90 CACHE STRING "What CUDA code is compiled for")
endif()
enable_language(CUDA)
set(GOSSAMER_HAVE_CUDA ON)
list(JOIN CMAKE_CUDA_ARCHITECTURES " " architectures)
set(GOSSAMER_CUDA_STATUS "CUDA ${CUDAToolkit_VERSION} for ${architectures}")

# Small functions that are constexpr serve host and device alike. IEEE arithmetic: no fast math, and
# denormals stay. CMake 3.25 does not know how nvcc is told of C++20.
target_compile_options(gossamer PRIVATE
  $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;--expt-relaxed-constexpr;--extended-lambda;--ftz=false>)
# fmt 9 takes nvcc for a compiler that knows no constexpr.
target_compile_definitions(gossamer PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:FMT_USE_CONSTEXPR=1>)
# Said again here: the library was made before the language was known.
set_target_properties(gossamer PROPERTIES CUDA_ARCHITECTURES "${CMAKE_CUDA_ARCHITECTURES}"
  CUDA_SEPARABLE_COMPILATION OFF CUDA_RUNTIME_LIBRARY Static)
# An installation brings the static runtime along, so that who links it needs no CUDA toolkit.
target_link_libraries(gossamer PRIVATE $<BUILD_INTERFACE:CUDA::cudart_static>
  $<INSTALL_INTERFACE:gossamer::cudart>)
# A shared library keeps its copy of the runtime to itself: the program may have one of its own.
target_link_options(gossamer PRIVATE LINKER:--exclude-libs,libcudart_static.a)

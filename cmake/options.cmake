# GOSSAMER_<BACKEND> = AUTO | ON | OFF. ON and missing is an error; AUTO and missing is one line.
set(GOSSAMER_OPENMP AUTO CACHE STRING "Threads by OpenMP (otherwise plain threads)")
set(GOSSAMER_CUDA AUTO CACHE STRING "The CUDA backend")
set(GOSSAMER_MPI AUTO CACHE STRING "gossamer::mpi, distributed matrices on MPI")
if(PROJECT_IS_TOP_LEVEL)
  set(GOSSAMER_PYTHON AUTO CACHE STRING "The Python package, and its tests where there are tests")
else()
  set(GOSSAMER_PYTHON OFF CACHE STRING "The Python package")
endif()
foreach(option IN ITEMS GOSSAMER_OPENMP GOSSAMER_CUDA GOSSAMER_MPI GOSSAMER_PYTHON)
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
endforeach()

# Parts with vector instructions are two files, NAME.x86.cpp with all variants, selected at run time,
# and NAME.portable.cpp with the portable one.
set(GOSSAMER_SIMD AUTO CACHE STRING
    "Vector variants of kernels: AUTO (those of the target's processors) or PORTABLE (none)")
set_property(CACHE GOSSAMER_SIMD PROPERTY STRINGS AUTO PORTABLE)
if(NOT GOSSAMER_SIMD MATCHES "^(AUTO|PORTABLE)$")
  message(FATAL_ERROR "GOSSAMER_SIMD is ${GOSSAMER_SIMD}; expected AUTO or PORTABLE")
endif()
set(on_x86 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(on_x86 ON)
endif()
if(GOSSAMER_SIMD STREQUAL "AUTO" AND on_x86)
  set(GOSSAMER_VARIANTS x86)
  set(GOSSAMER_SIMD_STATUS "portable, avx2 and avx512, selected at run time")
else()
  set(GOSSAMER_VARIANTS portable)
  set(GOSSAMER_SIMD_STATUS "portable only (GOSSAMER_SIMD=${GOSSAMER_SIMD}, ${CMAKE_SYSTEM_PROCESSOR})")
endif()

option(GOSSAMER_AMG "gossamer::amg, the multigrid solver on top of the library" ON)
option(GOSSAMER_CLI "The command line" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_BENCH "The benchmark runner, as a part of the command line" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_PEERS "Plug-ins of other libraries for the benchmarks, those that are found"
       ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_TESTS "The tests" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_EXAMPLES "The examples, the quickstart among them" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_INSTALL "Install rules" ${PROJECT_IS_TOP_LEVEL})
option(GOSSAMER_FUZZ "Fuzz targets (clang)" OFF)
option(GOSSAMER_PCH "Precompiled headers: faster clean builds" OFF)
option(GOSSAMER_UNITY "Compile the files of a folder as one: faster clean builds" OFF)
option(GOSSAMER_WERROR "Warnings are errors" OFF)
set(GOSSAMER_SANITIZE "" CACHE STRING "Sanitizers, as in -fsanitize=")

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
# Inside another project that names no build type, the library is optimised all the same: kernels that
# are not are of no use.
if(NOT PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(GOSSAMER_OPTIMISE_ANYWAY -O3 -DNDEBUG)
endif()

# Everything written here is compiled with these; consumers are not.
add_library(gossamer_strict INTERFACE)
set(warnings -Wall -Wextra -Wconversion -Wno-sign-conversion -Wno-missing-field-initializers)
list(JOIN warnings "," cuda_warnings)
target_compile_options(gossamer_strict INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:${warnings};-Wpedantic>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${GOSSAMER_WERROR}>>:-Werror>
  # GCC 12 sees overlaps in "text" + std::string that are not there (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
  # With precompiled headers GCC 12 no longer takes the standard library for a system header, and
  # reports there what it wrongly concludes of std::sort and std::string.
  $<$<AND:$<COMPILE_LANG_AND_ID:CXX,GNU>,$<BOOL:${GOSSAMER_PCH}>>:-Wno-array-bounds;-Wno-stringop-overflow>
  # Plug-ins of the benchmarks are found by a C name; both sides of the call are this C++.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-return-type-c-linkage>
  # nvcc writes line directives that -Wpedantic would complain about.
  $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-Xcompiler=${cuda_warnings}>)
if(GOSSAMER_VARIANTS STREQUAL "portable" AND NOT (on_x86 AND NOT CMAKE_CXX_FLAGS MATCHES "-m"))
  # The portable variants have the same bits on each processor. Where FMA is in every processor, as on
  # aarch64, GCC would fuse a * b + c, in one loop and not in the next. The baseline of x86-64 has none:
  # its builds with and without variants have all other objects in common.
  target_compile_options(gossamer_strict INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
endif()
if(GOSSAMER_SANITIZE)
  # What a sanitizer finds ends the program: a report alone would let the test pass.
  target_compile_options(gossamer_strict INTERFACE -fsanitize=${GOSSAMER_SANITIZE}
    -fno-sanitize-recover=all -fno-omit-frame-pointer)
  if(GOSSAMER_SANITIZE STREQUAL "thread")
    target_compile_options(gossamer_strict INTERFACE -Wno-tsan)
  endif()
  target_link_options(gossamer_strict INTERFACE -fsanitize=${GOSSAMER_SANITIZE})
  if(GOSSAMER_SANITIZE MATCHES "undefined")
    # Every check has a description with addresses in it, millions of them: in a program that may lie
    # anywhere they are relocated at each start, which takes half a second.
    target_link_options(gossamer_strict INTERFACE
      $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
  endif()
endif()

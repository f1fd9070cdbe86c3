# What the library is built with. fmt, nlohmann-json and fast_float are header-only here and never
# reach consumers; zlib and OpenMP do, when the library is static.
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat QUIET)
find_package(Threads REQUIRED)

target_link_libraries(gossamer PRIVATE ZLIB::ZLIB Threads::Threads $<BUILD_INTERFACE:gossamer_strict>
  $<BUILD_INTERFACE:fmt::fmt-header-only> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

set(GOSSAMER_OPENMP_STATUS "absent (plain threads)")
if(NOT GOSSAMER_OPENMP STREQUAL "OFF")
  if(GOSSAMER_OPENMP STREQUAL "ON")
    find_package(OpenMP REQUIRED COMPONENTS CXX)
  else()
    find_package(OpenMP QUIET COMPONENTS CXX)
  endif()
endif()
if(OpenMP_CXX_FOUND)
  target_link_libraries(gossamer PRIVATE OpenMP::OpenMP_CXX)
  set(GOSSAMER_OPENMP_STATUS "OpenMP ${OpenMP_CXX_VERSION}")
endif()

set(GOSSAMER_HAVE_CUDA OFF)
set(GOSSAMER_CUDA_STATUS "absent")

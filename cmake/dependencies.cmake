# What the library is built with. fmt, nlohmann-json and fast_float are header-only here and never
# reach consumers; zlib, OpenMP and threads do, when the library is static.
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(FastFloat QUIET)
find_package(Threads REQUIRED)

# The headers of fmt. What is in them is compiled by base/text.cpp alone: see base/text.hpp.
add_library(gossamer_fmt INTERFACE)
target_include_directories(gossamer_fmt SYSTEM INTERFACE
  $<TARGET_PROPERTY:fmt::fmt-header-only,INTERFACE_INCLUDE_DIRECTORIES>)

target_link_libraries(gossamer PRIVATE ZLIB::ZLIB Threads::Threads $<BUILD_INTERFACE:gossamer_strict>
  $<BUILD_INTERFACE:gossamer_fmt> $<BUILD_INTERFACE:nlohmann_json::nlohmann_json>)

if(GOSSAMER_OPENMP STREQUAL "OFF")
  set(GOSSAMER_OPENMP_STATUS "left out (GOSSAMER_OPENMP=OFF): plain threads instead")
else()
  if(GOSSAMER_OPENMP STREQUAL "ON")
    find_package(OpenMP REQUIRED COMPONENTS CXX)
  else()
    find_package(OpenMP QUIET COMPONENTS CXX)
  endif()
  set(GOSSAMER_OPENMP_STATUS "left out (the compiler has none): plain threads instead")
endif()
if(OpenMP_CXX_FOUND)
  target_link_libraries(gossamer PRIVATE OpenMP::OpenMP_CXX)
  set(GOSSAMER_OPENMP_STATUS "OpenMP ${OpenMP_CXX_VERSION}")
endif()

include(cmake/cuda.cmake)

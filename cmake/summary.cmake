# What was built and what was left out, once, at the end of configuring.
if(PROJECT_IS_TOP_LEVEL)
  message(STATUS "Gossamer ${PROJECT_VERSION}: ${CMAKE_BUILD_TYPE}, ${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}")
  message(STATUS "  openmp  ${GOSSAMER_OPENMP_STATUS}")
  message(STATUS "  cuda    ${GOSSAMER_CUDA_STATUS}")
  message(STATUS "  cli ${GOSSAMER_CLI}, tests ${GOSSAMER_TESTS}, sanitizers '${GOSSAMER_SANITIZE}'")
endif()

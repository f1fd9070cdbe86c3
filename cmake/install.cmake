# Installed: the library, its headers (cli/ adds the command line), and what find_package(gossamer) and
# pkg-config need. Both are relocatable: cmake --install build/release --prefix ANYWHERE.
# The component gossamer_library is all of it without the command line, which is the component tools.
include(CMakePackageConfigHelpers)
set(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME gossamer_library)

set(GOSSAMER_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gossamer)
install(TARGETS gossamer EXPORT gossamer_targets)
if(GOSSAMER_AMG)
  install(TARGETS gossamer_amg EXPORT gossamer_targets)
endif()
if(GOSSAMER_HAVE_MPI)
  install(TARGETS gossamer_mpi EXPORT gossamer_targets)
  if(GOSSAMER_AMG)
    install(TARGETS gossamer_mpi_amg EXPORT gossamer_targets)
  endif()
  foreach(tool IN ITEMS metis scotch)
    if(TARGET gossamer_${tool})
      install(TARGETS gossamer_${tool} EXPORT gossamer_targets)
    endif()
  endforeach()
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gossamer TYPE INCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE TYPE DOC)
install(EXPORT gossamer_targets NAMESPACE gossamer:: DESTINATION ${GOSSAMER_CMAKE_DIR})

# A shared library brings its own dependencies; a static one leaves them to whoever links it.
get_target_property(library_type gossamer TYPE)
set(GOSSAMER_FIND_DEPENDENCIES "")
set(GOSSAMER_PC_LIBS "")
if(library_type STREQUAL "STATIC_LIBRARY")
  set(GOSSAMER_FIND_DEPENDENCIES "find_dependency(ZLIB)\nfind_dependency(Threads)\n")
  set(GOSSAMER_PC_REQUIRES "Requires: zlib")
  set(libraries ${CMAKE_THREAD_LIBS_INIT})
  if(OpenMP_CXX_FOUND)
    string(APPEND GOSSAMER_FIND_DEPENDENCIES "find_dependency(OpenMP COMPONENTS CXX)\n")
    list(TRANSFORM OpenMP_CXX_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE openmp)
    list(APPEND libraries ${openmp})
  endif()
  if(GOSSAMER_HAVE_CUDA)
    install(FILES ${CUDA_cudart_static_LIBRARY} DESTINATION ${CMAKE_INSTALL_LIBDIR}/gossamer)
    string(APPEND GOSSAMER_FIND_DEPENDENCIES
      "add_library(gossamer::cudart STATIC IMPORTED)\n"
      "set_target_properties(gossamer::cudart PROPERTIES\n"
      "  IMPORTED_LOCATION \"\${PACKAGE_PREFIX_DIR}/${CMAKE_INSTALL_LIBDIR}/gossamer/libcudart_static.a\"\n"
      "  INTERFACE_LINK_LIBRARIES \"dl;rt;Threads::Threads\")\n")
    list(APPEND libraries "-L\${libdir}/gossamer" -lcudart_static -ldl -lrt)
  endif()
  list(JOIN libraries " " GOSSAMER_PC_LIBS)
else()
  set(GOSSAMER_PC_REQUIRES "Requires.private: zlib")
endif()

# Who links the static library of distributed matrices links MPI with it; gossamer/mpi.hpp needs mpi.h in
# either case.
if(GOSSAMER_HAVE_MPI)
  string(APPEND GOSSAMER_FIND_DEPENDENCIES
    "if(\"mpi\" IN_LIST gossamer_FIND_COMPONENTS)\n  find_dependency(MPI COMPONENTS CXX)\nendif()\n")
endif()

configure_package_config_file(cmake/gossamer-config.cmake.in gossamer-config.cmake
  INSTALL_DESTINATION ${GOSSAMER_CMAKE_DIR} NO_SET_AND_CHECK_MACRO)
# Until 1.0 every minor version may change the API.
write_basic_package_version_file(gossamer-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gossamer-config.cmake
              ${PROJECT_BINARY_DIR}/gossamer-config-version.cmake
        DESTINATION ${GOSSAMER_CMAKE_DIR})

set(pkgconfig_dir ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GOSSAMER_PC_PREFIX ${pkgconfig_dir} ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/gossamer.pc.in gossamer.pc @ONLY)
if(GOSSAMER_AMG)
  configure_file(cmake/gossamer-amg.pc.in gossamer-amg.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/gossamer-amg.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
if(GOSSAMER_HAVE_MPI)
  set(mpi_libraries ${MPI_CXX_LIBRARIES})
  if(library_type STREQUAL "STATIC_LIBRARY")
    foreach(tool IN ITEMS metis scotch)
      if(TARGET gossamer_${tool})
        get_target_property(tool_libraries gossamer_${tool} INTERFACE_LINK_LIBRARIES)
        list(APPEND mpi_libraries ${tool_libraries})
      endif()
    endforeach()
  endif()
  list(JOIN mpi_libraries " " GOSSAMER_PC_MPI_LIBS)
  configure_file(cmake/gossamer-mpi.pc.in gossamer-mpi.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/gossamer-mpi.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
install(FILES ${PROJECT_BINARY_DIR}/gossamer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
unset(CMAKE_INSTALL_DEFAULT_COMPONENT_NAME)

# The command line finds a shared library next to it, wherever the prefix is, and in the build tree. It
# is linked once for both: a path that CMake edits while installing is padded with colons before, and
# the loader reads an empty element as the current directory.
if(TARGET gossamer_cli)
  set_target_properties(gossamer_cli PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH_USE_LINK_PATH ON)
  if(BUILD_SHARED_LIBS)
    set_target_properties(gossamer_cli PROPERTIES INSTALL_RPATH "$ORIGIN/../${CMAKE_INSTALL_LIBDIR};$ORIGIN/..")
  endif()
endif()

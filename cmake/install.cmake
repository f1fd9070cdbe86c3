include(CMakePackageConfigHelpers)
install(TARGETS gossamer EXPORT gossamer_targets)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gossamer TYPE INCLUDE)

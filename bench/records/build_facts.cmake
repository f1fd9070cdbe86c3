# Run at every build: the commit may have changed since CMake was. Written only when it did.
execute_process(COMMAND git rev-parse --short=10 HEAD WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
execute_process(COMMAND git status --porcelain --untracked-files=no WORKING_DIRECTORY ${SOURCE_DIR}
  OUTPUT_VARIABLE changes ERROR_QUIET)
set(dirty false)
if(changes)
  set(dirty true)
endif()
configure_file(${SOURCE_DIR}/bench/records/build_facts.cpp.in ${OUTPUT} @ONLY)

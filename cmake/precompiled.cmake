# GOSSAMER_PCH: headers that most files include are compiled once for the library, once for the tools
# around it and once for the tests. A clean build takes a third less; after a change of a header more
# files are compiled again, and ccache sees little of it, so it is off unless asked for. Files still
# include what they use: builds without it would fail otherwise.
set(standard_headers <algorithm> <array> <atomic> <bit> <cmath> <cstring> <limits> <memory> <mutex>
                     <numeric> <optional> <span> <string> <string_view> <utility> <variant> <vector>)
# Makes ccache's view of a precompiled header possible; see CCACHE_SLOPPINESS in its manual.
set(for_ccache $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)

# gossamer_precompile(target headers...): its own precompiled headers.
function(gossamer_precompile target)
  if(GOSSAMER_PCH)
    list(TRANSFORM ARGN REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:\\1>")
    target_precompile_headers(${target} PRIVATE ${ARGN})
    target_compile_options(${target} PRIVATE ${for_ccache})
  endif()
endfunction()

# gossamer_precompile_as(target other): those of a target that is compiled in the same manner.
function(gossamer_precompile_as target other)
  if(GOSSAMER_PCH)
    target_precompile_headers(${target} REUSE_FROM ${other})
    target_compile_options(${target} PRIVATE ${for_ccache})
  endif()
endfunction()

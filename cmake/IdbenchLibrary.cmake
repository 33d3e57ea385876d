# One folder, one library, one call:
#
#   idbench_library(robots/dynamics
#     SOURCES regressor.cc …                 # none: an INTERFACE library
#     HEADERS regressor.h …                  # installed; a header listed in SOURCES is private
#     LINK Eigen3::Eigen idbench::…          # what the headers need
#     PRIVATE_LINK xsimd …                   # what only the sources need
#     TESTS regressor_test.cc …              # one program, each test case a ctest of its own or,
#                                            # with IDBENCH_TESTS_BY_FILE, each file (asan, tsan)
#     TEST_LINK MuJoCo::MuJoCo …
#     BENCHMARKS regressor_benchmark.cc …    # go into idbench_benchmarks, linked as the tests are
#     FUZZERS regressor_fuzz.cc …)           # a program each, linked with this library alone
#
# defines the target idbench_robots_dynamics, known as idbench::robots_dynamics here and to a project
# that finds the installed package.
#
# A folder that is divided into rooms, subfolders with a library each, names them first, so that the
# tests of all of them are one program:
#
#   idbench_rooms(reports files run …)       # adds the subfolders
#   idbench_library(reports …)               # what lies in the folder itself; makes the program
#
# A fuzzer, foo_fuzz.cc, defines LLVMFuzzerTestOneInput(), and its inputs are the files in
# testdata/fuzz/foo. Its program, idbench_fuzz_foo, runs it on all of them, which is the test fuzz_foo;
# with IDBENCH_FUZZ (preset fuzz, see tools/fuzz) libFuzzer looks for further ones.
#
# IDBENCH_ONLY_TESTS_OF, a list of folders, leaves out the tests of all others (preset tsan).
#
# A source with instruction-set flags of its own needs SKIP_PRECOMPILE_HEADERS and
# SKIP_UNITY_BUILD_INCLUSION too, and so does a test that defines a macro for Eigen to see
# (EIGEN_RUNTIME_NO_MALLOC).
#
# Where CMAKE_UNITY_BUILD is on (presets release, asan, tsan), the sources of a library, of a test
# program and of idbench_benchmarks are joined in batches: names in their anonymous namespaces have to
# differ (tools/check_names, a test). That each source includes what it uses shows where it is off
# (presets dev, tidy).

function(idbench_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" ""
    "SOURCES;HEADERS;LINK;PRIVATE_LINK;TESTS;TEST_LINK;BENCHMARKS;FUZZERS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "idbench_library(${folder}): unknown argument ${arg_UNPARSED_ARGUMENTS}")
  endif()
  string(REPLACE "/" "_" name "${folder}")
  set(target idbench_${name})

  if(arg_SOURCES)
    set(scope PUBLIC)
    add_library(${target} STATIC ${arg_SOURCES})
    _idbench_balance_batches(${target} ${arg_SOURCES})
    _idbench_link_private(${target} ${arg_PRIVATE_LINK})
    _idbench_reuse_precompiled_headers(${target} idbench_precompiled_headers)
  else()
    set(scope INTERFACE)
    add_library(${target} INTERFACE)
  endif()
  add_library(idbench::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}" FILES ${arg_HEADERS})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_compile_definitions(${target} ${scope} ${IDBENCH_EIGEN_ALIGNMENT})
  target_link_libraries(${target} ${scope} ${arg_LINK})
  if(TARGET idbench_eigen_instances)  # what the precompiled headers declare
    target_link_libraries(${target} ${scope} idbench_eigen_instances)
  endif()

  install(TARGETS ${target} EXPORT idbenchTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/idbench")

  if(IDBENCH_ONLY_TESTS_OF AND NOT folder IN_LIST IDBENCH_ONLY_TESTS_OF)
    set(arg_TESTS "")
    set(arg_FUZZERS "")
  endif()
  list(TRANSFORM arg_TESTS PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  if(IDBENCH_TESTS_OF)
    set(tests_of "${IDBENCH_TESTS_OF}")
  else()
    set(tests_of "${folder}")
  endif()
  set_property(GLOBAL APPEND PROPERTY "IDBENCH_TESTS ${tests_of}" ${arg_TESTS})
  set_property(GLOBAL APPEND PROPERTY "IDBENCH_TEST_LINK ${tests_of}" ${target} ${arg_TEST_LINK})
  if(folder STREQUAL tests_of AND TARGET idbench_doctest_main)
    _idbench_tests(${target}_tests "${folder}")
  endif()
  foreach(source IN LISTS arg_FUZZERS)
    _idbench_fuzzer(${source} ${target})
  endforeach()
  foreach(source IN LISTS arg_BENCHMARKS)
    set_property(GLOBAL APPEND PROPERTY IDBENCH_BENCHMARK_SOURCES
      "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
    set_property(GLOBAL APPEND PROPERTY IDBENCH_BENCHMARK_LIBRARIES ${target} ${arg_TEST_LINK})
  endforeach()
endfunction()

macro(idbench_rooms folder)
  set(IDBENCH_TESTS_OF "${folder}")
  foreach(room IN ITEMS ${ARGN})
    add_subdirectory(${room})
  endforeach()
endmacro()

# A header-only library that only our sources include is nobody else's business: it stays out of the
# export, and whoever uses the installed package need not have it.
function(_idbench_link_private target)
  foreach(library IN LISTS ARGN)
    set(type "")
    if(TARGET ${library})
      get_target_property(type ${library} TYPE)
      get_target_property(imported ${library} IMPORTED)
    endif()
    if(type STREQUAL "INTERFACE_LIBRARY" AND imported)
      target_link_libraries(${target} PRIVATE $<BUILD_INTERFACE:${library}>)
    else()
      target_link_libraries(${target} PRIVATE ${library})
    endif()
  endforeach()
endfunction()

function(_idbench_reuse_precompiled_headers target from)
  if(IDBENCH_PCH)
    target_precompile_headers(${target} REUSE_FROM ${from})
  endif()
endfunction()

# Batches of a unity build that are about equal, and at most as large as CMake is told to make them:
# else the last one holds what is left, and the others hold up the build.
function(_idbench_balance_batches target)
  list(LENGTH ARGN sources)
  if(NOT CMAKE_UNITY_BUILD OR NOT CMAKE_UNITY_BUILD_BATCH_SIZE)
    return()
  endif()
  math(EXPR batches "(${sources} + ${CMAKE_UNITY_BUILD_BATCH_SIZE} - 1) / ${CMAKE_UNITY_BUILD_BATCH_SIZE}")
  math(EXPR size "(${sources} + ${batches} - 1) / ${batches}")
  set_target_properties(${target} PROPERTIES UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

function(_idbench_tests target folder)
  get_property(sources GLOBAL PROPERTY "IDBENCH_TESTS ${folder}")
  get_property(link GLOBAL PROPERTY "IDBENCH_TEST_LINK ${folder}")
  if(NOT sources)
    return()
  endif()
  list(REMOVE_DUPLICATES link)
  add_executable(${target} ${sources})
  _idbench_balance_batches(${target} ${sources})
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${link} idbench_doctest_main)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)  # as the headers precompiled
  _idbench_reuse_precompiled_headers(${target} idbench_doctest_main)

  set(discovered "${CMAKE_CURRENT_BINARY_DIR}/${target}.cmake")
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}"
      -D "PROGRAM=$<TARGET_FILE:${target}>"
      -D "FILE=${discovered}"
      -D "FOLDER=${folder}"
      -D "SOURCE=${PROJECT_SOURCE_DIR}"
      -D "BY_FILE=${IDBENCH_TESTS_BY_FILE}"
      -D "DATA=${IDBENCH_DATA}"
      -P "${PROJECT_SOURCE_DIR}/cmake/discover_tests.cmake"
    BYPRODUCTS "${discovered}"
    VERBATIM)
  # A program that was not built is a failing test, not a missing one.
  file(WRITE "${discovered}.include" "if(EXISTS \"${discovered}\")
  include(\"${discovered}\")
else()
  add_test(${target}_was_not_built ${target}_was_not_built)
endif()
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES "${discovered}.include")
endfunction()

function(_idbench_fuzzer source library)
  string(REGEX REPLACE "_fuzz\\.cc$" "" name "${source}")
  set(target idbench_fuzz_${name})
  add_executable(${target} ${source})
  set_target_properties(${target} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  target_link_libraries(${target} PRIVATE ${library})
  _idbench_reuse_precompiled_headers(${target} idbench_precompiled_headers)
  if(IDBENCH_FUZZ)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  else()
    target_link_libraries(${target} PRIVATE idbench_fuzz_replay)
    add_test(NAME fuzz_${name} COMMAND ${target} "${CMAKE_CURRENT_SOURCE_DIR}/testdata/fuzz/${name}")
  endif()
endfunction()

# The programs of bench/: idbench_program(idbench SOURCES main.cc … LINK idbench::bench …) is built into
# bin/ and installed.
function(idbench_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINK")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  _idbench_reuse_precompiled_headers(${name} idbench_precompiled_headers)
  install(TARGETS ${name} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endfunction()

# One program of all micro-benchmarks that idbench_library was given.
function(idbench_benchmarks)
  get_property(sources GLOBAL PROPERTY IDBENCH_BENCHMARK_SOURCES)
  get_property(libraries GLOBAL PROPERTY IDBENCH_BENCHMARK_LIBRARIES)
  if(NOT TARGET benchmark::benchmark_main)
    message(STATUS "Google Benchmark not found: idbench_benchmarks is not built")
  elseif(sources)
    list(REMOVE_DUPLICATES libraries)
    add_executable(idbench_benchmarks ${sources})
    target_link_libraries(idbench_benchmarks PRIVATE ${libraries} benchmark::benchmark_main)
    target_link_options(idbench_benchmarks PRIVATE -Wl,--wrap=malloc)  # allocations are counted
    _idbench_reuse_precompiled_headers(idbench_benchmarks idbench_precompiled_headers)
  endif()
endfunction()

# A third-party library of headers alone, as an imported target.
function(idbench_find_headers target header)
  string(MAKE_C_IDENTIFIER "${target}_INCLUDE_DIR" directory)
  find_path(${directory} ${header} REQUIRED)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} INTERFACE "${${directory}}")
endfunction()

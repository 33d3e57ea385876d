# Run after PROGRAM was linked: writes FILE, which ctest reads, with one test for each of its test cases or,
# BY_FILE, for each of its source files: under sanitizers starting a program takes longer than most test
# cases.
# doctest's own script (2.4.9) loses names with a comma, which separates filters, or a semicolon.
#
# Variables: PROGRAM, FILE, FOLDER (starts the names of the tests), SOURCE (names of files are relative
# to it), BY_FILE, DATA (environment IDBENCH_DATA, or empty).

# doctest passes when its filter matches nothing: a test that ran no case has failed.
set(properties "FAIL_REGULAR_EXPRESSION \"test cases: +0 \"")
if(DATA)
  string(APPEND properties " ENVIRONMENT [==[IDBENCH_DATA=${DATA}]==]")
endif()
set(script "")

macro(add_line name filter)
  string(APPEND script
    "add_test([==[${FOLDER}: ${name}]==] [==[${PROGRAM}]==] [==[${filter}]==])\n"
    "set_tests_properties([==[${FOLDER}: ${name}]==] PROPERTIES ${properties})\n")
endmacro()

if(BY_FILE)
  execute_process(
    COMMAND "${PROGRAM}" --list-test-cases --reporters=xml
    OUTPUT_VARIABLE cases
    COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL " filename=\"[^\"]*\"" files "${cases}")
  list(REMOVE_DUPLICATES files)
  foreach(file IN LISTS files)
    string(REGEX REPLACE "^ filename=\"(.*)\"$" "\\1" file "${file}")
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE name)
    add_line("${name}" "--source-file=${file}")
  endforeach()
else()
  execute_process(
    COMMAND "${PROGRAM}" --list-test-cases --no-intro --no-version
    OUTPUT_VARIABLE lines
    COMMAND_ERROR_IS_FATAL ANY)
  # Not a list of lines: brackets and semicolons in a name would join or split its elements.
  while(lines MATCHES "^([^\n]*)\n")
    set(name "${CMAKE_MATCH_1}")
    string(LENGTH "${name}\n" length)
    string(SUBSTRING "${lines}" ${length} -1 lines)
    if(name MATCHES "^=+$|^\\[doctest\\] ")
      continue()
    endif()
    string(REPLACE "," "?" filter "${name}")
    add_line("${name}" "--test-case=${filter}")
  endwhile()
endif()
file(WRITE "${FILE}" "${script}")

# Run after PROGRAM was linked: writes FILE, which ctest reads, with one test for each of its test cases.
# doctest's own script (2.4.9) loses names with a comma, which separates filters, or a semicolon.
#
# Variables: PROGRAM, FILE, FOLDER (starts the names of the tests), DATA (environment IDBENCH_DATA, or empty).

execute_process(
  COMMAND "${PROGRAM}" --list-test-cases --no-intro --no-version
  OUTPUT_VARIABLE lines
  COMMAND_ERROR_IS_FATAL ANY)

# doctest passes when its filter matches nothing: a test that ran no case has failed.
set(properties "FAIL_REGULAR_EXPRESSION \"test cases: +0 \"")
if(DATA)
  string(APPEND properties " ENVIRONMENT [==[IDBENCH_DATA=${DATA}]==]")
endif()

# Not a list of lines: brackets and semicolons in a name would join or split its elements.
set(script "")
while(lines MATCHES "^([^\n]*)\n")
  set(name "${CMAKE_MATCH_1}")
  string(LENGTH "${name}\n" length)
  string(SUBSTRING "${lines}" ${length} -1 lines)
  if(name MATCHES "^=+$|^\\[doctest\\] ")
    continue()
  endif()
  string(REPLACE "," "?" filter "${name}")
  string(APPEND script
    "add_test([==[${FOLDER}: ${name}]==] [==[${PROGRAM}]==] [==[--test-case=${filter}]==])\n"
    "set_tests_properties([==[${FOLDER}: ${name}]==] PROPERTIES ${properties})\n")
endwhile()
file(WRITE "${FILE}" "${script}")

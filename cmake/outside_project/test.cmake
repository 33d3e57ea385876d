# Installs idbench from IDBENCH_BINARY_DIR into an empty prefix; then configures, builds and runs the
# project beside this file against that prefix, on a machine that seems to have no MuJoCo.
set(work "${IDBENCH_BINARY_DIR}/outside_project")
set(prefix "${work}/prefix")
file(REMOVE_RECURSE "${work}")

function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

run("${CMAKE_COMMAND}" --install "${IDBENCH_BINARY_DIR}" --prefix "${prefix}")
run("${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}" -B "${work}/build" -G Ninja
  "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
  "-DMUJOCO_ROOT=${work}/no_mujoco_here")
run("${CMAKE_COMMAND}" --build "${work}/build")
run("${work}/build/outside_project")

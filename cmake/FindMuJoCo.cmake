# Finds MuJoCo and defines the target MuJoCo::MuJoCo.
#
# Input:  MUJOCO_ROOT, a folder with include/mujoco/mujoco.h and lib/libmujoco.so (a MuJoCo release),
#         or an unpacked wheel (mujoco/include/mujoco/mujoco.h, mujoco/libmujoco.so.X.Y.Z). Where it
#         is not set, CMake's usual places are searched.
# Output: MuJoCo_FOUND, MuJoCo_VERSION, MuJoCo_NOT_FOUND_MESSAGE.

if(MUJOCO_ROOT)
  set(places PATHS "${MUJOCO_ROOT}" "${MUJOCO_ROOT}/mujoco" NO_DEFAULT_PATH)
  set(where "in MUJOCO_ROOT=${MUJOCO_ROOT}")
else()
  set(places "")
  set(where "on this system")
endif()

# Nothing is cached, so that another MUJOCO_ROOT takes effect in a configured build tree.
find_path(MuJoCo_INCLUDE_DIR mujoco/mujoco.h ${places} PATH_SUFFIXES include NO_CACHE)
set(MuJoCo_VERSION "")
set(MuJoCo_NOT_FOUND_MESSAGE "")
if(MuJoCo_INCLUDE_DIR)
  # 4.0.1 is written 4000001; versions before 3.10 had one digit a part (3.3.2 was 332).
  file(STRINGS "${MuJoCo_INCLUDE_DIR}/mujoco/mujoco.h" line
       REGEX "^#define mjVERSION_HEADER +[0-9]+")
  string(REGEX MATCH "[0-9]+$" number "${line}")
  if(number GREATER_EQUAL 1000000)
    math(EXPR major "${number} / 1000000")
    math(EXPR minor "${number} / 1000 % 1000")
    math(EXPR patch "${number} % 1000")
    set(MuJoCo_VERSION "${major}.${minor}.${patch}")
  else()
    string(REGEX REPLACE "^(.)(.)(.*)$" "\\1.\\2.\\3" MuJoCo_VERSION "${number}")
  endif()
  find_library(MuJoCo_LIBRARY NAMES mujoco "libmujoco.so.${MuJoCo_VERSION}" ${places}
               PATH_SUFFIXES lib NO_CACHE)
endif()

if(NOT MuJoCo_INCLUDE_DIR)
  set(MuJoCo_NOT_FOUND_MESSAGE "MuJoCo not found: no mujoco/mujoco.h ${where}")
elseif(MuJoCo_FIND_VERSION AND MuJoCo_VERSION VERSION_LESS MuJoCo_FIND_VERSION)
  set(MuJoCo_NOT_FOUND_MESSAGE
      "MuJoCo ${MuJoCo_VERSION} ${where} is too old: ${MuJoCo_FIND_VERSION} or newer is needed")
elseif(NOT MuJoCo_LIBRARY)
  set(MuJoCo_NOT_FOUND_MESSAGE "MuJoCo not found: no libmujoco.so ${where}")
endif()

if(MuJoCo_NOT_FOUND_MESSAGE)
  set(MuJoCo_FOUND FALSE)
  if(MuJoCo_FIND_REQUIRED)
    # The leading space keeps CMake from wrapping the line.
    message(FATAL_ERROR " ${MuJoCo_NOT_FOUND_MESSAGE}. "
                        "Run ./setup.sh, or give one with -DMUJOCO_ROOT=DIR.")
  endif()
else()
  set(MuJoCo_FOUND TRUE)
  if(NOT MuJoCo_FIND_QUIETLY)
    message(STATUS "MuJoCo ${MuJoCo_VERSION}: ${MuJoCo_LIBRARY}")
  endif()
  if(NOT TARGET MuJoCo::MuJoCo)
    add_library(MuJoCo::MuJoCo SHARED IMPORTED)
    set_target_properties(MuJoCo::MuJoCo PROPERTIES
      IMPORTED_LOCATION "${MuJoCo_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${MuJoCo_INCLUDE_DIR}")
  endif()
endif()

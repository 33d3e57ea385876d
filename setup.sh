#!/usr/bin/env bash
# Brings a bare Debian 12 machine to a configured, built, demonstrated or tested idbench.
# What is already there is left alone: a second run installs and downloads nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

readonly packages=(
  g++ cmake ninja-build git ca-certificates python3-pip
  libeigen3-dev libfmt-dev nlohmann-json3-dev libboost-program-options-dev
  libcsv-dev liblz4-dev libnlopt-dev libpugixml-dev libsqlite3-dev libssl-dev libxsimd-dev libyaml-cpp-dev
  libzstd-dev libzip-dev librandom123-dev zlib1g-dev
  doctest-dev libbenchmark-dev valgrind
)
readonly test_packages=(chromium chromium-driver texlive-latex-recommended python3-numpy)
readonly developer_packages=(clang-16 libclang-rt-16-dev clang-tidy-16 clang-format-16)

readonly mujoco_pin=cmake/mujoco-requirements.txt
mujoco_version=$(sed -n 's/^mujoco-core==\([0-9.]*\).*/\1/p' "$mujoco_pin")
readonly mujoco_version
readonly mujoco_root=.deps/mujoco-$mujoco_version

readonly charts_pin=cmake/vl-convert-requirements.txt
charts_version=$(sed -n 's/^vl-convert-python==\([0-9a-z.]*\).*/\1/p' "$charts_pin")
readonly charts_version
readonly charts_root=.deps/vl-convert-$charts_version

usage() {
  cat <<'TEXT'
usage: ./setup.sh [demo | nightly | test | dev | --help]

  (nothing)  install what is missing and configure build/release
  demo       the same, then build idbench and run scenarios/demo.json into out/demo
  nightly    the same, then build idbench, run the suite scenarios/nightly.json into out/nightly and
             compare each scenario with its accepted and its pinned run; then tools/planted/check
             and, where Clang is (./setup.sh dev), tools/fuzz, 5 minutes a target. Exits as
             `idbench nightly` does, or with 1 if what is planted does not hold or a reader crashes
  test       the same, then build everything and run all tests; installs what only tests need too
             (Chromium for the HTML report, LaTeX for the tables, numpy for the filters)
  dev        the same as nothing, and install the packages of tests, clang, clang-tidy and
             clang-format (16) too

Debian packages are installed with apt-get (through sudo unless you are root), and only when some
are missing. MuJoCo and Vega-Lite, which draws the charts, are unpacked into .deps/.
TEXT
}

say() { printf 'setup: %s\n' "$*"; }

fail() {
  printf 'setup: error: %s\n' "$*" >&2
  exit 1
}

installed() {
  dpkg-query --show --showformat='${db:Status-Status}\n' "$1" 2>/dev/null | grep -x installed >/dev/null
}

install_packages() {
  if ! command -v apt-get >/dev/null; then
    fail "no apt-get: this is not Debian 12 or alike. Install what these packages hold: $*;" \
      "unpack MuJoCo $mujoco_version or newer into DIR; configure with" \
      "'cmake --preset release -DMUJOCO_ROOT=DIR', build with 'cmake --build --preset release'"
  fi
  local package missing=()
  for package in "$@"; do
    installed "$package" || missing+=("$package")
  done
  if ((${#missing[@]} == 0)); then
    say "all Debian packages are installed"
    return
  fi

  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if ((EUID != 0)); then
    command -v sudo >/dev/null ||
      fail "no sudo here. As root, run: apt-get install --no-install-recommends ${missing[*]}"
    as_root=(sudo "${as_root[@]}")
  fi
  say "installing Debian packages: ${missing[*]}"
  "${as_root[@]}" apt-get --quiet update
  "${as_root[@]}" apt-get --quiet --yes install --no-install-recommends "${missing[@]}"
}

# fetch_wheel PIN DIRECTORY: downloads the pinned wheel and unpacks it into DIRECTORY/wheel, with
# Debian's own Python, because another one on the PATH need not have pip.
fetch_wheel() {
  rm -rf "$2"
  mkdir -p "$2"
  /usr/bin/python3 -m pip download --quiet --no-deps --only-binary=:all: --python-version 3.11 \
    --require-hashes --requirement "$1" --dest "$2" &&
    /usr/bin/python3 -m zipfile --extract "$2"/*.whl "$2/wheel"
}

# The wheel is a zip archive of which the headers and the library are kept. One rename puts them in
# place, so that a killed run leaves no half of them.
install_mujoco() {
  if [[ -d $mujoco_root ]]; then
    say "MuJoCo $mujoco_version is in $mujoco_root"
    return
  fi
  say "fetching MuJoCo $mujoco_version into $mujoco_root"
  local staging=.deps/staging library=libmujoco.so.$mujoco_version
  fetch_wheel "$mujoco_pin" "$staging"
  mkdir -p "$staging/mujoco/lib"
  mv "$staging/wheel/mujoco/include" "$staging/mujoco/include"
  mv "$staging/wheel/mujoco/$library" "$staging/mujoco/lib/$library"
  ln -s "$library" "$staging/mujoco/lib/libmujoco.so"
  mv --no-target-directory "$staging/mujoco" "$mujoco_root"
  rm -rf "$staging"
}

# Charts are optional: without them reports have tables, so a failure here is told and passed over.
# The bundle is the JavaScript that a page with charts holds.
install_charts() {
  if [[ -d $charts_root ]]; then
    say "Vega-Lite (vl-convert $charts_version) is in $charts_root"
    return
  fi
  say "fetching Vega-Lite (vl-convert $charts_version) into $charts_root"
  local staging=.deps/staging
  fetch_wheel "$charts_pin" "$staging" &&
    PYTHONPATH=$staging/wheel /usr/bin/python3 - "$staging/wheel/vega.js" <<'PYTHON' &&
import sys
import vl_convert
with open(sys.argv[1], "w", encoding="utf-8") as file:
    file.write(vl_convert.javascript_bundle())
PYTHON
    mv --no-target-directory "$staging/wheel" "$charts_root" ||
    say "no Vega-Lite: HTML reports will have tables and no charts"
  rm -rf "$staging"
}

configure() {
  say "configuring build/release"
  cmake --preset release
}

prepare() {
  install_packages "$@"
  install_mujoco
  install_charts
  configure
}

(($# <= 1)) || { usage >&2; exit 2; }
case ${1-} in
  '')
    prepare "${packages[@]}"
    say "configured; build with: cmake --workflow --preset release"
    ;;
  demo)
    prepare "${packages[@]}"
    cmake --build --preset release --target idbench
    rm -rf out/demo
    build/release/bin/idbench run scenarios/demo.json --out out/demo
    ;;
  nightly)
    prepare "${packages[@]}"
    cmake --build --preset release --target idbench
    status=0
    build/release/bin/idbench nightly scenarios/nightly.json --out out/nightly || status=$?
    if [[ -e .git ]]; then  # what is planted is built from a copy of the last commit
      tools/planted/check || ((status)) || status=1
    fi
    if command -v clang++-16 >/dev/null; then
      tools/fuzz --all 5 || ((status)) || status=1
    fi
    exit "$status"
    ;;
  test)
    install_packages "${test_packages[@]}" ||
      say "Chromium, LaTeX or numpy cannot be had: the tests in them are left out"
    prepare "${packages[@]}"
    cmake --build --preset release
    ctest --preset release --parallel "$(nproc)"
    ;;
  dev)
    prepare "${packages[@]}" "${test_packages[@]}" "${developer_packages[@]}"
    ;;
  -h | --help)
    usage
    ;;
  *)
    printf "setup: error: unknown argument '%s'\n" "$1" >&2
    usage >&2
    exit 2
    ;;
esac

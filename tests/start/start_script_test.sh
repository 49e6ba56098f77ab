#!/usr/bin/env bash
# Tests of the start script ./tellegen alone: nothing is installed or built. Each case runs a copy of the script in a folder
# of its own, with stubs on PATH in place of dpkg-query, apt-get, sudo, id, cmake and ctest; the stubs write what they were
# asked to the file `calls`.
#
#   start_script_test.sh [CASE...]     all cases when none is named
# shellcheck disable=SC2016  # the stubs expand their own variables
set -euo pipefail

script=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../../tellegen
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# stub NAME: an executable on PATH with its body on stdin, after a line that records the call.
stub() {
  { printf '#!/usr/bin/env bash\nprintf "%%s\\n" "%s $*" >>"%s/calls"\n' "$1" "$case_dir"; cat; } >"$case_dir/bin/$1"
  chmod +x "$case_dir/bin/$1"
}

# A fresh repository with the script, a root user, all packages installed, and a cmake that "builds" a program which prints
# its arguments and working directory and ends with exit code 7.
set_up() {
  case_dir=$scratch/$1
  mkdir -p "$case_dir/bin" "$case_dir/repo"
  cp "$script" "$case_dir/repo/tellegen"
  printf '{}\n' >"$case_dir/repo/CMakePresets.json"
  : >"$case_dir/calls"
  local tool
  for tool in bash env cat grep tail tee mkdir chmod dirname readlink flock; do
    ln -s "$(command -v "$tool")" "$case_dir/bin/$tool"
  done
  packages_missing
  stub id <<<'echo 0'
  stub apt-get <<<':'
  stub ctest <<<'echo "ctest in $PWD"; exit 5'
  stub cmake <<'END'
release=$REPO/build/release
if [[ $1 == --build ]]; then
  mkdir -p "$release/bin"
  printf '#!/usr/bin/env bash\nprintf "<%%s>" "$@"; printf " in %%s\\n" "$PWD"; exit 7\n' >"$release/bin/tellegen"
  chmod +x "$release/bin/tellegen"
else
  mkdir -p "$release"
  : >"$release/build.ninja"
fi
END
}

# packages_missing [NAME...]: dpkg-query knows every package it is asked for, but these.
packages_missing() {
  stub dpkg-query <<END
for name in "\${@:4}"; do
  [[ " $* " == *" \$name "* ]] || printf 'installed %s\n' "\$name"
done
[[ -z "$*" ]]
END
}

# start ARGS...: runs the script from another folder; leaves code, out and err.
start() {
  code=0
  mkdir -p "$case_dir/elsewhere"
  (cd "$case_dir/elsewhere" && env -i PATH="$case_dir/bin" REPO="$case_dir/repo" "$case_dir/repo/tellegen" "$@") \
    >"$case_dir/out" 2>"$case_dir/err" </dev/null || code=$?
  out=$(<"$case_dir/out")
  err=$(<"$case_dir/err")
}

problem() { printf '  %s\n' "$@"; problems=$((problems + 1)); }
expect_code() { [[ $code -eq $1 ]] || problem "exit code $code, expected $1"; }
expect_out() { [[ $out == "$1" ]] || problem "stdout:   $out" "expected: $1"; }
expect_err() { [[ $err == "$1" ]] || problem "stderr:   $err" "expected: $1"; }
expect_call() { grep -qxF -- "$1" "$case_dir/calls" || problem "not called: $1" "calls: $(<"$case_dir/calls")"; }
expect_no_call() { ! grep -q "^$1 " "$case_dir/calls" || problem "must not be called: $1"; }

test_hands_arguments_folder_and_exit_code_through() {
  start run 'two words' --seed 3
  expect_code 7
  expect_out "<run><two words><--seed><3> in $case_dir/elsewhere"
  expect_err 'tellegen: configuring (preset release)'
  expect_call "cmake --build $case_dir/repo/build/release --target=tellegen_cli_main"
  expect_no_call apt-get
}

test_works_through_a_symbolic_link() {
  ln -s "$case_dir/repo/tellegen" "$case_dir/bin/tellegen-link"
  code=0
  out=$(PATH="$case_dir/bin" REPO="$case_dir/repo" tellegen-link map 2>/dev/null) || code=$?
  expect_code 7
  expect_out "<map> in $PWD"
}

test_without_arguments_runs_the_program_without_arguments() {
  start
  expect_code 7
  expect_out "<> in $case_dir/elsewhere"  # printf prints its format once when there is no argument
}

test_configures_once_and_again_when_the_presets_change() {
  start run
  start run
  expect_err ''
  [[ $(grep -c -- --preset "$case_dir/calls") -eq 1 ]] || problem "configured more than once"
  touch -d '1 hour' "$case_dir/repo/CMakePresets.json"
  start run
  expect_err 'tellegen: configuring (preset release)'
}

test_says_and_installs_what_is_missing() {
  packages_missing ccache libfmt-dev
  start run
  expect_code 7
  expect_err 'tellegen: installing 2 missing Debian packages: ccache libfmt-dev
tellegen: configuring (preset release)'
  expect_call 'apt-get -o DPkg::Lock::Timeout=600 update'
  expect_call 'apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends ccache libfmt-dev'
}

test_uses_sudo_when_not_root() {
  packages_missing ccache
  stub id <<<'echo 1000'
  stub sudo <<<'exec "$@"'
  start run
  expect_code 7
  expect_call 'sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 update'
  expect_call 'sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y --no-install-recommends ccache'
}

test_root_needs_no_sudo() {
  packages_missing ccache
  stub sudo <<<'exec "$@"'
  start run
  expect_call 'apt-get -o DPkg::Lock::Timeout=600 update'
  expect_no_call sudo
}

test_neither_root_nor_sudo() {
  packages_missing ccache
  stub id <<<'echo 1000'
  start run
  expect_code 1
  expect_err 'tellegen: not root, and there is no sudo. As root, run: apt-get install ccache'
  expect_no_call apt-get
}

test_no_install_names_what_is_missing_and_goes_on() {
  packages_missing ccache
  start --no-install run
  expect_code 7
  expect_out "<run> in $case_dir/elsewhere"
  expect_err 'tellegen: these Debian packages are missing and --no-install was given: ccache
tellegen: configuring (preset release)'
  expect_no_call apt-get
}

test_no_install_is_silent_where_there_is_no_dpkg() {
  rm "$case_dir/bin/dpkg-query"
  start --no-install run
  expect_code 7
  expect_err 'tellegen: configuring (preset release)'
}

test_system_without_apt() {
  packages_missing ccache
  rm "$case_dir/bin/apt-get"
  start run
  expect_code 1
  expect_err 'tellegen: this system has no apt-get. Install what these Debian packages hold, then use --no-install: ccache'
}

test_failed_install_shows_the_tail_and_the_log() {
  packages_missing ccache
  stub apt-get <<<'echo "E: no network"; exit 100'
  start run
  expect_code 1
  expect_err "tellegen: installing 1 missing Debian packages: ccache
E: no network
tellegen: updating the package lists failed. The whole log is in $case_dir/repo/build/release/logs/install.log."
  expect_no_call cmake
}

test_failed_build_shows_only_the_tail_and_the_log() {
  start run
  stub cmake <<<'for i in {1..50}; do echo "line $i"; done; echo "error: no such type" >&2; exit 2'
  start run
  expect_code 1
  expect_out ''
  expect_err "$(printf 'line %s\n' {12..50})
error: no such type
tellegen: building failed. The whole log is in $case_dir/repo/build/release/logs/build.log."
}

test_build_is_one_line() {
  start run
  stub cmake <<<'echo "[0/2] Re-checking globbed directories..."; echo "[1/34] Building a"; echo "[34/34] Linking b"'
  start run
  expect_code 7
  expect_err 'tellegen: building, 34 steps'
}

test_test_builds_everything_and_calls_ctest_in_the_root() {
  start test -R crossbar
  expect_code 5
  expect_out "ctest in $case_dir/repo"
  expect_call "cmake --build $case_dir/repo/build/release"
  expect_call 'ctest --preset release -R crossbar'
}

if [[ $# -gt 0 ]]; then cases=("$@"); else mapfile -t cases < <(compgen -A function test_); fi
failures=0
for name in "${cases[@]}"; do
  problems=0
  set_up "$name"
  "$name"
  if [[ $problems -eq 0 ]]; then
    printf 'ok      %s\n' "$name"
  else
    printf 'FAILED  %s\n' "$name"
    failures=$((failures + 1))
  fi
done
printf '%d cases, %d failed\n' "${#cases[@]}" "$failures"
[[ $failures -eq 0 && ${#cases[@]} -gt 0 ]]

#!/usr/bin/env bash
# The README on a bare machine: a minimal Debian 12 in a chroot, a clean clone of HEAD in it, the README's runnable commands
# in their order and nothing else. Prints how long each took and how much was installed; fails when one of them fails.
#
#   sudo tests/start/bare_debian.sh [--keep] [--commands N] [FOLDER]
#
#   FOLDER        where the base system is cached and the chroot is made; /var/tmp/tellegen-bare
#   --commands N  only the first N of the commands; 2, the two lines that open the README
#   --keep        leaves the chroot there (unmounted)
#
# Needs root, git and debootstrap. The host's package sources, keys and proxies are used, so that a local mirror is honoured.
set -euo pipefail

repository=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../..
folder=/var/tmp/tellegen-bare
keep=no
count=2
while [[ $# -gt 0 ]]; do
  case $1 in
    --keep) keep=yes ;;
    --commands) count=$2; shift ;;
    -*) printf 'bare_debian.sh: %s is not an option (--keep, --commands N)\n' "$1" >&2; exit 2 ;;
    *) folder=$1 ;;
  esac
  shift
done

for tool in debootstrap git chroot; do
  command -v "$tool" >/dev/null || { printf 'bare_debian.sh: %s is needed\n' "$tool" >&2; exit 2; }
done
[[ $(id -u) -eq 0 ]] || { printf 'bare_debian.sh: must run as root (chroot, mount)\n' >&2; exit 2; }

mkdir -p "$folder"
base=$folder/bookworm-minbase.tar
system=$(mktemp -d "$folder/system.XXXXXX")

# shellcheck disable=SC2317  # reached by the trap
clean_up() {
  local place
  for place in dev/pts dev proc; do
    if mountpoint -q "$system/$place"; then umount "$system/$place"; fi
  done
  # Never reach into a mount that would not go away.
  if [[ $keep == no ]]; then rm -rf --one-file-system "$system"; fi
}
trap clean_up EXIT
trap 'exit 130' INT TERM

say() { printf '=== %s\n' "$*"; }

make_base() {
  [[ -f $base ]] && return
  say "making the base system (once; cached as $base)"
  debootstrap --variant=minbase bookworm "$system" >"$folder/debootstrap.log" 2>&1 || {
    tail -n 20 "$folder/debootstrap.log"
    exit 1
  }
  tar -C "$system" -cf "$base.part" .
  mv "$base.part" "$base"
  rm -rf --one-file-system "$system"
  mkdir "$system"
}

# The host's apt settings replace those of the base system, so that no source is named twice.
copy_network_settings() {
  rm -f "$system/etc/apt/sources.list"
  cp -a /etc/apt/. "$system/etc/apt/"
  mkdir -p "$system/usr/share/keyrings"
  cp -a /usr/share/keyrings/. "$system/usr/share/keyrings/"
  cp -L /etc/resolv.conf "$system/etc/resolv.conf"
  if [[ -f /etc/ssl/certs/ca-certificates.crt ]]; then  # for sources behind https
    mkdir -p "$system/etc/ssl/certs"
    cp -L /etc/ssl/certs/ca-certificates.crt "$system/etc/ssl/certs/"
  fi
}

# in_system COMMAND: a shell in the clone inside the chroot, with a clean environment apart from the proxies.
in_system() {
  local -a proxies=()
  local name
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    if [[ -n ${!name-} ]]; then proxies+=("$name=${!name}"); fi
  done
  chroot "$system" /usr/bin/env -i HOME=/root TERM=dumb PATH=/usr/sbin:/usr/bin:/sbin:/bin "${proxies[@]}" \
    bash -c "cd /root/tellegen && $1" </dev/null
}

report_size() {
  say "$1: $(chroot "$system" dpkg-query --show | wc -l) packages, $(du -smx "$system" | cut -f1) MB in all," \
    "$(du -smx "$system/root/tellegen" | cut -f1) MB of it the clone and its build"
}

make_base
tar -C "$system" -xf "$base"
copy_network_settings
git clone -q --no-local "$repository" "$system/root/tellegen"
mount -t proc proc "$system/proc"
mount --bind /dev "$system/dev"
mount --bind /dev/pts "$system/dev/pts"
report_size "before"

mapfile -t commands < <(bash "$system/root/tellegen/.ci/readme_commands" "$system/root/tellegen/README.md" | head -n "$count")
[[ ${#commands[@]} -eq $count ]] || { say "README.md has ${#commands[@]} runnable commands, expected $count"; exit 1; }
status=0
for command in "${commands[@]}"; do
  say "$command"
  SECONDS=0
  code=0
  in_system "$command" || code=$?
  say "exit code $code after $SECONDS s: $command"
  if [[ $code -ne 0 ]]; then status=1; fi
  report_size "now"
done
exit "$status"

#!/usr/bin/env bash
# Proves the README's two commands on a bare Debian 12: a system that holds a fresh clone of the
# committed state, what debootstrap calls minbase, and nothing else.
#
#   tests/chroot.sh DIR          the whole trial; says what happened, ends with exit 1 if it failed
#   tests/chroot.sh DIR base     only makes DIR/base.tar, the bare system that later trials start from
#   tests/chroot.sh DIR shell    a shell in a new bare system, beside the clone
#
# Needs root and debootstrap. The mirror and the proxy are those of this machine's own apt; the
# mirror can be named in ATTN_MIRROR. DIR/base.tar is kept, everything else is removed at the end.
#
# shellcheck disable=SC2016 # what is in single quotes is meant for apt-get or another shell
set -u -o pipefail

suite=bookworm
repository=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd -P)

say() {
    printf 'bare: %s\n' "$*"
}

die() {
    printf 'bare: %s\n' "$*" >&2
    exit 1
}

# The mirror that this machine's apt takes the suite from.
mirror() {
    if [ -n "${ATTN_MIRROR:-}" ]; then
        printf '%s\n' "$ATTN_MIRROR"
        return
    fi
    apt-get indextargets --format '$(CODENAME) $(LABEL) $(REPO_URI)' 'Created-By: Packages' |
        awk -v suite="$suite" '$1 == suite && $2 == "Debian" { print $3; exit }'
}

make_base() {
    local site
    [ -e "$dir/base.tar" ] && return
    site=$(mirror)
    [ -n "$site" ] || die "apt here knows no mirror of Debian $suite; name one in ATTN_MIRROR"
    say "making a minimal Debian $suite"
    rm -rf "$dir/base"
    debootstrap --variant=minbase "$suite" "$dir/base" "$site" >"$dir/debootstrap.log" 2>&1 || {
        tail -n 20 "$dir/debootstrap.log" >&2
        die "debootstrap failed; all it said is in $dir/debootstrap.log"
    }
    rm -rf "$dir/base/var/cache/apt/archives"/*.deb "$dir/base/var/lib/apt/lists"/*
    tar -C "$dir/base" --one-file-system -cf "$dir/base.tar.new" . || die "cannot pack $dir/base"
    mv "$dir/base.tar.new" "$dir/base.tar"
    rm -rf "$dir/base"
}

# A new bare system in $root that resolves names and fetches packages as this machine does.
make_root() {
    rm -rf "$root"
    mkdir -p "$root" || die "cannot make $root"
    tar -C "$root" -xf "$dir/base.tar" || die "cannot unpack $dir/base.tar"
    cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
    apt-config dump | grep -E '^Acquire::(http|https|Check|Retries|ForceIPv)' \
        >"$root/etc/apt/apt.conf.d/90host"
    git -c safe.directory='*' clone --quiet --no-hardlinks "$repository" "$root/home/attn" ||
        die "cannot clone $repository; is anything committed?"
}

# Runs a command line of bash inside $root, with its own processes and mounts, which end with it.
inside() {
    unshare --mount --pid --fork bash -c '
        root=$1
        mount --make-rprivate / &&
            mount --bind "$root" "$root" &&
            mount -t proc proc "$root/proc" &&
            mount -t tmpfs tmpfs "$root/dev" || exit 125
        for node in null zero full random urandom tty; do
            : >"$root/dev/$node"
            mount --bind "/dev/$node" "$root/dev/$node" || exit 125
        done
        mkdir "$root/dev/pts" "$root/dev/shm"
        mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts" || exit 125
        ln -s pts/ptmx "$root/dev/ptmx"
        ln -s /proc/self/fd "$root/dev/fd"
        # Not chroot: in one nobody may make a user namespace, which the grader needs.
        cd "$root" && pivot_root . mnt && umount -l /mnt || exit 125
        exec /usr/bin/env -i HOME=/root TERM=xterm-256color LANG=C.UTF-8 \
            PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
            bash -c "$2"
    ' bash "$root" "$1"
}

# The trial itself, which runs inside. Its exit status is the number of steps that failed.
trial='
cd /home/attn
failed=0
step() {
    status=$?
    if [ $status = 0 ]; then echo "bare: $1: ok, ${SECONDS} s"; else
        echo "bare: $1: FAILED with exit status $status after ${SECONDS} s"
        failed=$((failed + 1))
    fi
    SECONDS=0
}
present=
for tool in cc make meson ninja pkg-config python3 git sudo; do
    command -v $tool >/dev/null && present="$present $tool"
done
echo "bare: tools before the trial:${present:- none}"
session="X = embed(\"Hello shiny sun!\")
S = X @ X.T
S[\"shiny\"]"

echo "bare: ./dev run, with a session on its standard input"
SECONDS=0
printf "%s\n" "$session" | ./dev run >/tmp/first
status=$?
cat /tmp/first
[ $status = 0 ] && grep -q 1.3569 /tmp/first
step "./dev run from nothing"

echo "bare: ./dev run, typed at a terminal"
{ sleep 2; printf "/%s\r" "S = embed(\"Hello shiny sun!\"); S = S @ S.T; S[\"shiny\"]"; sleep 1; printf "quit\r"; sleep 1; } |
    TERM=xterm timeout 60 script -qec "stty rows 24 cols 80; ./dev run" /dev/null >/tmp/typed
status=$?
tr "\033" "^" </tmp/typed
[ $status = 0 ] && grep -q 1.3569 /tmp/typed
step "./dev run at a terminal"

echo "bare: ./dev run once more, when nothing is missing"
time ./dev run eval 1
step "./dev run with nothing to do"

echo "bare: ./dev test"
./dev test </dev/null
step "./dev test"
exit $failed
'

case $# in 1 | 2) ;; *) die "usage: tests/chroot.sh DIR [base|shell]" ;; esac
[ "$(id -u)" = 0 ] || die "chroot needs root"
command -v debootstrap >/dev/null || die "debootstrap is missing; install the package of that name"
mkdir -p "$1" || exit 1
dir=$(CDPATH='' cd -- "$1" && pwd -P)
root=$dir/root
trap 'rm -rf "$root" "$dir/base"' EXIT

make_base
case ${2:-trial} in
base)
    say "$dir/base.tar is ready"
    ;;
shell)
    make_root
    inside 'cd /home/attn && exec bash -i'
    ;;
trial)
    make_root
    say "the clone is at $(git -c safe.directory='*' -C "$repository" rev-parse --short HEAD)"
    inside "$trial"
    failures=$?
    [ $failures = 0 ] || die "steps that failed: $failures"
    say "all steps passed"
    ;;
*)
    die "unknown word: $2; write base or shell, or nothing"
    ;;
esac

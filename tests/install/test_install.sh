#!/usr/bin/env bash
# Installs the built tree into a directory of its own and uses libattn from there, as a stranger would:
# with attn.h alone, through pkg-config, against the shared and the static library.
#
# usage: test_install.sh BUILD_DIR PROGRAM_C COMPILER...
set -eu -o pipefail

build=$1 program=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

fail() {
    printf 'install: %s\n' "$*" >&2
    exit 1
}

meson install -C "$build" --no-rebuild --quiet --destdir "$stage" >"$scratch/log" 2>&1 || {
    cat "$scratch/log" >&2
    fail 'meson install failed'
}

description=$(find "$stage" -name libattn.pc)
[ -n "$description" ] || fail 'no libattn.pc was installed'
PKG_CONFIG_LIBDIR=$(dirname "$description")
export PKG_CONFIG_LIBDIR PKG_CONFIG_SYSROOT_DIR=$stage
libraries=$(dirname "$PKG_CONFIG_LIBDIR")

# pkg-config quotes for a shell.
flags=()
eval "flags=($(pkg-config --cflags --libs libattn))"

strict=(-std=c17 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror)
"$@" "${strict[@]}" "$program" -o "$scratch/shared" "${flags[@]}" ||
    fail 'the program does not build with the shared library'
LD_LIBRARY_PATH=$libraries DYLD_LIBRARY_PATH=$libraries "$scratch/shared" ||
    fail 'the program fails with the shared library'
"$@" "${strict[@]}" -DOWN_NAMES "$program" -o "$scratch/own" "${flags[@]}" ||
    fail 'a program with names of its own does not build'
LD_LIBRARY_PATH=$libraries DYLD_LIBRARY_PATH=$libraries "$scratch/own" ||
    fail 'the library calls functions of the program in place of its own'

include=$(dirname "$(find "$stage" -name attn.h)")
# what the static library needs beside itself
needs=()
eval "needs=($(pkg-config --static --libs libattn | sed 's/-L[^ ]*//g; s/-lattn//g'))"
"$@" "${strict[@]}" -I"$include" "$program" -o "$scratch/static" "$libraries/libattn.a" "${needs[@]}" ||
    fail 'the program does not build with the static library'
"$scratch/static" || fail 'the program fails with the static library'

[ -x "$(find "$stage" -path '*/bin/attn')" ] || fail 'no program attn was installed'
[ -d "$(find "$stage" -path '*/share/attn/assets')" ] || fail 'no data was installed'
echo 'install: shared and static library, header, program and data are in place'

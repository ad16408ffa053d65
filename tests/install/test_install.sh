#!/usr/bin/env bash
# Installs the built tree into a folder of its own and uses it from there, as a stranger would: libattn
# from C, C++ and Python, with attn.h alone, through pkg-config, shared and static; and the program, after
# the folder was moved.
#
# usage: test_install.sh BUILD_DIR SOURCE_DIR C_COMPILER...
set -eu -o pipefail

build=$1 source=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
stage=$scratch/stage

fail() {
    printf 'install: %s\n' "$*" >&2
    exit 1
}

# What all examples print: the weights of "Hello shiny sun" as README's first session has them.
want='0.2964 0.3583 0.3452
0.2703 0.3762 0.3535
0.2697 0.3660 0.3643'

# Runs the command that follows and compares what it prints.
prints_weights() {
    local what=$1 got
    shift
    got=$("$@") || fail "$what: it fails"
    [ "$got" = "$want" ] || fail "$what: it prints: $got"
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
header=$(find "$stage" -name attn.h)
export LD_LIBRARY_PATH=$libraries DYLD_LIBRARY_PATH=$libraries

# ---- names ----

# The shared library has the functions of the header and nothing else; the static one no other prefix.
exported=$(nm -g --defined-only "$libraries/libattn.a" 2>/dev/null | awk 'NF == 3 { print $3 }' |
    grep -v '^_\{0,1\}attn_' || true)
[ -z "$exported" ] || fail "libattn.a has names without the prefix attn_: $exported"
if [ -e "$libraries/libattn.so" ]; then
    nm -D --defined-only "$libraries/libattn.so" | awk '{ print $3 }' | sort >"$scratch/exported"
    grep -o '\battn_[a-z0-9_]*(' "$header" | tr -d '(' | sort -u >"$scratch/declared"
    diff "$scratch/exported" "$scratch/declared" >&2 ||
        fail 'libattn.so exports (<) other functions than attn.h declares (>)'
fi

# ---- the library ----

# pkg-config quotes for a shell.
flags=()
eval "flags=($(pkg-config --cflags --libs libattn))"
strict=(-Wall -Wextra -Wpedantic -Werror)

"$@" -std=c17 "${strict[@]}" "$source/examples/attention.c" -o "$scratch/shared" "${flags[@]}" ||
    fail 'the C example does not build with the shared library'
prints_weights 'the C example' "$scratch/shared"

# What the static library needs beside itself.
needs=()
eval "needs=($(pkg-config --static --libs libattn | sed 's/-L[^ ]*//g; s/-lattn//g'))"
"$@" -std=c17 "${strict[@]}" -I"$(dirname "$header")" "$source/examples/attention.c" -o "$scratch/static" \
    "$libraries/libattn.a" "${needs[@]}" || fail 'the C example does not build with the static library'
prints_weights 'the C example, linked statically' "$scratch/static"

for kind in "${flags[*]}" "-I$(dirname "$header") $libraries/libattn.a ${needs[*]}"; do
    # shellcheck disable=SC2086 # these paths have no spaces
    "$@" -std=c17 "${strict[@]}" "$source/tests/install/own_names.c" -o "$scratch/own" $kind ||
        fail 'a program with names of its own does not build'
    "$scratch/own" || fail 'the library calls functions of the program in place of its own'
done

if command -v c++ >/dev/null 2>&1; then
    c++ -std=c++17 "${strict[@]}" "$source/examples/attention.cpp" -o "$scratch/cpp" "${flags[@]}" ||
        fail 'the C++ example does not build'
    prints_weights 'the C++ example' "$scratch/cpp"
fi
prints_weights 'the Python example' python3 "$source/examples/attention.py" \
    "$(find "$libraries" -name 'libattn.so.0' -o -name 'libattn.0.dylib')"

# ---- the program ----

[ -x "$(find "$stage" -path '*/bin/attn')" ] || fail 'no program attn was installed'
[ -d "$(find "$stage" -path '*/share/attn/assets')" ] || fail 'no data was installed'
unset ATTN_DATA_DIR
mv "$stage" "$scratch/elsewhere"
program=$(find "$scratch/elsewhere" -path '*/bin/attn')
data=$(find "$scratch/elsewhere" -path '*/share/attn')
(cd / && "$program" eval 'embed("shiny")[0, 0]') | grep -q '^0.53' ||
    fail 'the program does not find its data after it was moved'
mv "$data" "$data.gone"
! (cd / && "$program" eval 'embed("shiny")[0, 0]') >"$scratch/log" 2>&1 ||
    fail 'the program takes data from a place that it was not installed to'
grep -q 'ATTN_DATA_DIR' "$scratch/log" || fail "without data it says: $(cat "$scratch/log")"

# ---- the same bits wherever it was built ----

for file in "$program" "$scratch"/elsewhere/*/lib*/libattn.* "$scratch"/elsewhere/*/lib/*/libattn.* \
    "$scratch"/elsewhere/*/*/lib/*/libattn.*; do
    ! { [ -f "$file" ] && grep -aqF "$source" "$file"; } || fail "$file names the folder it was built in"
done

echo 'install: library, header, examples, program and data are in place'

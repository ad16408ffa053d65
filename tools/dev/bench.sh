# ./dev bench: measurements, and the limits that are promised.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# A benchmark is a script or a program: tests/bench/bench_NAME.sh or .c. What follows the first
# option is for the benchmark.
cmd_bench() {
    local name names=() status=0
    provide "${bench_needs[@]}"
    configure build -Dtests=enabled
    # shellcheck disable=SC2046 # names without spaces
    [ $# -gt 0 ] || set -- $(names_in tests/bench 's/^bench_\(.*\)\.[a-z]*$/\1/p')
    export ATTN=$root/build/attn ATTN_DATA_DIR=$root LUA TIME_COMMAND
    LUA=$(lua_command)
    TIME_COMMAND=$(time_command)
    while [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; do
        names+=("$1")
        shift
    done
    for name in "${names[@]}"; do
        if [ -e "$root/tests/bench/bench_$name.sh" ]; then
            compile build attn
            bash "$root/tests/bench/bench_$name.sh" "$@" || status=1
        elif [ -e "$root/tests/bench/bench_$name.c" ]; then
            compile build attn "tests/bench_$name"
            "$root/build/tests/bench_$name" "$@" || status=1
        else
            die "no benchmark $name; there are those in tests/bench/"
        fi
    done
    return $status
}

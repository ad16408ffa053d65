# ./dev bench: measurements, and the limits that are promised.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# A peer that cannot be had is told and left out: the rest can be compared without it.
provide_peers() {
    local need
    (provide "${peer_needs[@]}") && return
    for need in "${peer_needs[@]}"; do
        (provide "$need") || say "without $need"
    done
}

# A benchmark is a script or a program: tests/bench/bench_NAME.sh, .py or .c. What follows the first
# option is for the benchmark. Those in Python time attn in workers, which ninja builds, and with
# --peers other libraries, which are brought then.
cmd_bench() {
    local name names=() status=0
    provide "${bench_needs[@]}"
    configure build -Dtests=enabled
    # shellcheck disable=SC2046 # names without spaces
    [ $# -gt 0 ] || set -- $(names_in tests/bench '/^bench_pty/d; s/^bench_\(.*\)\.[a-z]*$/\1/p')
    export ATTN=$root/build/attn ATTN_DATA_DIR=$root LUA TIME_COMMAND
    LUA=$(lua_command)
    TIME_COMMAND=$(time_command)
    while [ $# -gt 0 ] && [ "${1#-}" = "$1" ]; do
        names+=("$1")
        shift
    done
    case " $* " in *' --peers '*) provide_peers ;; esac
    export ATTN_BENCH_PROGRAMS=$root/build/tests ATTN_BENCH_FOLDER=$root/$peers_folder
    for name in "${names[@]}"; do
        if [ -e "$root/tests/bench/bench_$name.sh" ]; then
            compile build attn
            bash "$root/tests/bench/bench_$name.sh" "$@" || status=1
        elif [ -e "$root/tests/bench/bench_$name.py" ]; then
            if grep -q '^from kernels' "$root/tests/bench/bench_$name.py"; then
                compile build attn tests/bench_{attn,lang,machine,model,train}_worker
            else
                compile build attn
            fi
            python3 "$root/tests/bench/bench_$name.py" "$@" || status=1
        elif [ -e "$root/tests/bench/bench_$name.c" ]; then
            compile build attn "tests/bench_$name"
            "$root/build/tests/bench_$name" "$@" || status=1
        else
            die "no benchmark $name; there are those in tests/bench/"
        fi
    done
    return $status
}

# ./dev fuzz: random input for the fuzz targets.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# Makes the inputs of fuzz target $1 for $2 seconds; says in one line how it went.
fuzz_one() {
    local target=$1 seconds=$2 dir=$root/build-fuzz log=$root/build-fuzz/$1.log
    local inputs=$root/build-fuzz/corpus/$1 seeds=$root/tests/fuzz/seeds/$1 words=$root/tests/fuzz/$1.dict
    case $target in lexer | parser | notebook) # of Python
        seeds=$root/tests/golden/notebook words=$root/tests/fuzz/python.dict ;;
    esac
    mkdir -p "$inputs" "$dir/findings"
    set -- "$dir/tests/fuzz_$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=2048 \
        -print_final_stats=1 -artifact_prefix="$dir/findings/$target-"
    [ -e "$words" ] && set -- "$@" -dict="$words"
    set -- "$@" "$inputs"
    [ -d "$seeds" ] && set -- "$@" "$seeds"
    if "$@" </dev/null >"$log" 2>&1; then
        printf 'fuzz %s: %s inputs in %s s, nothing found\n' "$target" \
            "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$seconds"
    else
        grep -E -A 12 'ERROR|SUMMARY|runtime error|Test unit written' "$log" | head -n 60
        printf 'fuzz %s: FAILED; the whole report is build-fuzz/%s.log, the input lies in %s\n' \
            "$target" "$target" 'build-fuzz/findings/ and can be given to the target again'
        return 1
    fi
}

cmd_fuzz() {
    local seconds=${1:-} target targets running=0 status=0
    case $seconds in '' | *[!0-9]*) usage >&2 && exit 2 ;; esac
    shift
    provide "${fuzz_needs[@]}"
    export CC=clang
    configure build-fuzz -Dfuzz=true -Dtests=disabled -Db_sanitize=address,undefined -Db_lundef=false
    compile build-fuzz fuzz
    export ASAN_OPTIONS=detect_leaks=1:allocator_may_return_null=1
    targets=$(names_in build-fuzz/tests 's/^fuzz_\([a-z0-9_]*\)$/\1/p')
    # shellcheck disable=SC2086 # names of targets, without spaces
    [ $# -gt 0 ] || set -- $targets
    for target in "$@"; do
        [ -x "$root/build-fuzz/tests/fuzz_$target" ] || die "no fuzz target $target; there are: ${targets//$'\n'/ }"
    done
    say "fuzzing $* for $seconds s each, as many at once as there are cores"
    for target in "$@"; do
        fuzz_one "$target" "$seconds" &
        running=$((running + 1))
        if [ $((running % $(cores))) = 0 ]; then wait_all || status=1; fi
    done
    wait_all || status=1
    return $status
}

# Waits for the jobs in the background; fails when one of them failed.
wait_all() {
    local job status=0
    for job in $(jobs -p); do
        wait "$job" || status=1
    done
    return $status
}

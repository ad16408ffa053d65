# ./dev sanitize, monkey and valgrind: the program watched while it runs.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# Builds with sanitizers into build-sanitize/, and says what they shall look for.
build_sanitized() {
    local leaks=1
    on_macos && leaks=0
    if have gcc && ! on_macos; then export CC=gcc; fi
    # Less optimised, and with the lines of code alone for the debugger: half the time of the build.
    # Warnings are the other build's matter; beside sanitizers gcc gives some that are not true.
    configure build-sanitize -Dtests=enabled -Doptimization=1 -Dwarning_level=0 -Dc_args=-g1 \
        -Db_sanitize=address,undefined -Db_lundef=false
    compile build-sanitize "$@"
    # A freed block waits among 32 MB of others before its memory is used again; with the usual 256 MB
    # each process touches so many pages anew. Eight callers are named, of 30.
    local quick=quarantine_size_mb=32:malloc_context_size=8
    export ASAN_OPTIONS="detect_leaks=$leaks:detect_stack_use_after_return=1:strict_string_checks=1:allocator_may_return_null=1:$quick"
    export UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1
}

cmd_sanitize() {
    provide "${test_needs[@]}"
    build_sanitized
    suites_and_names "$@"
    # The library is installed and used without sanitizers, which suite install sees to elsewhere.
    run_tests build-sanitize --timeout-multiplier 5 --no-suite install --no-suite native \
        ${meson_arguments[@]+"${meson_arguments[@]}"}
}

cmd_monkey() {
    provide "${test_needs[@]}"
    build_sanitized attn tests/monkey
    ATTN=$root/build-sanitize/attn ATTN_DATA_DIR=$root "$root/build-sanitize/tests/monkey" "$@"
}

# Tests put $ATTN_RUNNER, where it is set, before the program they start.
cmd_valgrind() {
    on_macos && die 'valgrind does not run on macOS'
    provide "${valgrind_needs[@]}"
    configure build -Dtests=enabled
    compile build
    export ATTN_RUNNER=valgrind
    export VALGRIND_OPTS="-q --error-exitcode=99 --leak-check=full --show-leak-kinds=definite,indirect,possible --errors-for-leak-kinds=definite,indirect,possible"
    [ $# -gt 0 ] || set -- script
    suites_and_names "$@"
    run_tests build --timeout-multiplier 40 "${meson_arguments[@]}"
}

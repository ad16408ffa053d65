# ./dev experiments: what lessons and tasks say about training, checked over seeds.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# Each experiment trains with one thread, as many beside each other as there are cores.
cmd_experiments() {
    provide "${test_needs[@]}"
    configure build -Dtests=enabled
    compile build tests/experiment_learn
    OMP_NUM_THREADS=1 python3 "$root/tests/experiments/claims.py" --jobs "$(cores)" "$@"
}

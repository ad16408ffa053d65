#!/bin/sh
#SBATCH --job-name=attn-grade
#SBATCH --cpus-per-task=2
#SBATCH --time=00:30:00
#
# Grades a class as a Slurm job array, about ten students a task. To be started, not submitted, in a
# folder that all nodes see:
#
#   sh grade-slurm.sh CLASS RESULTS.json [OPTION OF SBATCH...]
#   PARTS=parts.a1b2c3 sh grade-slurm.sh class results.json     # goes on with one that was ended
#
# CLASS is a path from here. assignment.yaml and class.csv (the class list) are used when they are
# here. ATTN says where attn is, if not on the PATH.
set -eu
umask 077 # the seed and the results are for whoever grades
attn=${ATTN:-attn} rules='' expect=''
[ ! -e assignment.yaml ] || rules='--assignment assignment.yaml'
[ ! -e class.csv ] || rules="$rules --roster class.csv" expect='--expect class.csv'

if [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then # a task: one part of the class
    part=$SLURM_ARRAY_TASK_ID code=0
    # shellcheck disable=SC2086,SC2153 # the words of rules; what the environment brings
    "$attn" grade "$CLASS" --part "$part/$(cat "$PARTS/of")" --seed-file "$PARTS/seed" $rules \
        --jobs "$SLURM_CPUS_PER_TASK" --resume --format json --output "$PARTS/$part.json" || code=$?
    [ "$code" -le 1 ] # a student whose work does not pass is no failed task
    exit
fi

class=$1 results=$2
shift 2
rm -f "$results" # one of before would look like one of now
parts=${PARTS:-$(mktemp -d parts.XXXXXX)}
mkdir -p "$parts"
if [ ! -s "$parts/seed" ]; then # the same cases and the same parts for everybody
    echo "$(($(find "$class" -mindepth 1 -maxdepth 1 | wc -l) / 10 + 1))" >"$parts/of"
    echo "${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}" >"$parts/seed"
fi
# The numbers of the parts that are not there, were ended early, or hold a failure of attn's own.
todo=$(seq "$(cat "$parts/of")" | while read -r part; do
    if [ ! -s "$parts/$part.json" ] ||
        grep -Eq '"complete": false|"verdict": "internal_error"' "$parts/$part.json"; then
        echo "$part"
    fi
done | paste -sd, -)
# A task that fails is one whose part is not there: merging names it.
[ -z "$todo" ] || CLASS=$class PARTS=$parts sbatch --wait --export=ALL --array="$todo" \
    --output="$parts/%a.log" "$@" "$0" || true
# shellcheck disable=SC2086
"$attn" report merge "$parts"/*.json $rules $expect --format json --output "$results" || {
    code=$?
    echo "grade-slurm.sh: PARTS='$parts' before the same command goes on from here" >&2
    exit "$code"
}
rm -r "$parts"

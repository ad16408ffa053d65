#!/bin/sh
# Grades a class with GNU parallel, about ten students a job.
#
#   grade-parallel.sh CLASS RESULTS.json [OPTION OF PARALLEL...]
#   grade-parallel.sh class results.json --jobs 8
#   grade-parallel.sh class results.json --sshlogin 8/lab1,8/lab2
#   PARTS=parts.a1b2c3 grade-parallel.sh class results.json     # goes on with one that was ended
#
# CLASS is a path from here. assignment.yaml and class.csv (the class list) are used when they are
# here. ATTN says where attn is, if not on the PATH. On other machines it must be in the same place;
# the files go there into a folder of their own, the results come back, and nothing stays.
set -eu
umask 077 # the seed and the results are for whoever grades
class=$1 results=$2 attn=${ATTN:-attn}
shift 2
rm -f "$results" # one of before would look like one of now
parts=${PARTS:-$(mktemp -d parts.XXXXXX)}
mkdir -p "$parts"
if [ ! -s "$parts/seed" ]; then # the same cases and the same parts for everybody
    echo "$(($(find "$class" -mindepth 1 -maxdepth 1 | wc -l) / 10 + 1))" >"$parts/of"
    echo "${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}" >"$parts/seed"
fi
of=$(cat "$parts/of") away=attn-$(basename "$parts") rules='' expect=''
[ ! -e assignment.yaml ] || rules='--assignment assignment.yaml'
[ ! -e class.csv ] || rules="$rules --roster class.csv" expect='--expect class.csv'
# The numbers of the parts that are not there, were ended early, or hold a failure of attn's own.
parts_to_grade() {
    seq "$of" | while read -r part; do
        if [ ! -s "$parts/$part.json" ] ||
            grep -Eq '"complete": false|"verdict": "internal_error"' "$parts/$part.json"; then
            echo "$part"
        fi
    done
}
# parallel's exit status counts the jobs with something wrong, which is no failure of ours: a job
# that is lost is one whose part is not there.
# shellcheck disable=SC2016,SC2086 # the words of rules, and what the inner shell is to expand
grade_parts() {
    parts_to_grade | parallel -q "$@" sh -c 'mkdir -p "$1"; shift; exec "$@"' sh "$parts" \
        "$attn" grade "$class" --part "{}/$of" $rules --jobs 1 --seed-file "$parts/seed" --resume \
        --format json --output "$parts/{}.json" || true
}
grade_parts_away() {
    [ ! -e assignment.yaml ] || set -- --basefile assignment.yaml "$@"
    [ ! -e class.csv ] || set -- --basefile class.csv "$@"
    grade_parts --workdir "$away" --basefile "$class" --basefile "$parts/seed" --return "$parts/{}.json" --cleanup "$@"
}
case " $* " in
*' --sshlogin'* | *' -S'*)
    export PARALLEL_RSYNC_OPTS=-rltDzR # with the files' times, which may say when they were handed in
    grade_parts_away "$@"
    parallel -q --nonall "$@" rm -rf "$away"
    ;;
*) grade_parts "$@" ;;
esac
# shellcheck disable=SC2086
"$attn" report merge "$parts"/*.json $rules $expect --format json --output "$results" || {
    code=$?
    echo "grade-parallel.sh: PARTS='$parts' before the same command goes on from here" >&2
    exit "$code"
}
rm -r "$parts"

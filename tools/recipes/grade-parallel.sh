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
class=$1 results=$2 attn=${ATTN:-attn}
shift 2
rm -f "$results" # one of before would look like one of now
parts=${PARTS:-$(mktemp -d parts.XXXXXX)}
if [ ! -s "$parts/seed" ]; then # the same cases and the same parts for everybody
    echo "$(($(find "$class" -mindepth 1 -maxdepth 1 | wc -l) / 10 + 1))" >"$parts/of"
    echo "${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}" >"$parts/seed"
fi
of=$(cat "$parts/of") seed=$(cat "$parts/seed") rules='' files="--basefile $class"
[ ! -e assignment.yaml ] || rules="$rules --assignment assignment.yaml" files="$files --basefile assignment.yaml"
[ ! -e class.csv ] || rules="$rules --roster class.csv" files="$files --basefile class.csv"
# parallel's exit status counts the jobs with something wrong, which is no failure of ours: a job
# that is lost is one whose part is not there.
# shellcheck disable=SC2016,SC2086 # the words of rules, and what the inner shell is to expand
grade_parts() {
    seq "$of" | parallel -q "$@" sh -c 'mkdir -p "$1"; shift; exec "$@"' sh "$parts" \
        "$attn" grade "$class" --part "{}/$of" $rules --jobs 1 --seed "$seed" --resume \
        --format json --output "$parts/{}.json" || true
}
case " $* " in
*' --sshlogin'* | *' -S'*)
    export PARALLEL_RSYNC_OPTS=-rltDzR # with the files' times, which may say when they were handed in
    # shellcheck disable=SC2086 # the words of files
    grade_parts --workdir "attn-$parts" $files --return "$parts/{}.json" --cleanup "$@"
    parallel --nonall "$@" rm -rf "attn-$parts"
    ;;
*) grade_parts "$@" ;;
esac
# shellcheck disable=SC2086
"$attn" report merge "$parts"/*.json $rules --format json --output "$results"
rm -r "$parts"

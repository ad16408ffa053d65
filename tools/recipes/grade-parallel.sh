#!/bin/sh
# Grades a class with GNU parallel, a job for each student's folder.
#
#   grade-parallel.sh CLASS RESULTS.json [OPTION OF PARALLEL...]
#   grade-parallel.sh class results.json --jobs 8
#   grade-parallel.sh class results.json --sshlogin 8/lab1,8/lab2
#
# CLASS is a path from here. On other machines attn must be on the PATH; the files go there into a
# folder of their own, the results come back, and nothing stays.
set -eu
class=$1 results=$2
shift 2
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')} # the same cases for everybody
rm -f "$results" # one of before would look like one of now
parts=$(mktemp -d parts.XXXXXX)
case " $* " in
*' --sshlogin'* | *' -S'*)
    set -- --workdir ... --transferfile {} --return "$parts/{#}.json" --cleanup "$@"
    ;;
esac
# parallel's exit status counts the students with something wrong, which is no failure of ours.
find "$class" -mindepth 1 -maxdepth 1 -type d -print0 |
    parallel -0 "$@" "mkdir -p $parts; attn grade {} --student {/} --jobs 1 --seed $seed \
        --format json --output $parts/{#}.json" || true
attn report merge "$parts"/*.json --format json --output "$results"
rm -r "$parts"

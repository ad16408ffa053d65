#!/bin/sh
#SBATCH --job-name=attn-grade
#SBATCH --cpus-per-task=2
#SBATCH --time=00:30:00
#SBATCH --output=parts/%a.log
#
# A Slurm job array, about ten students a task. In the folder above class/, which all nodes see;
# assignment.yaml and class.csv (the class list) are used when they lie there too:
#
#   rm -rf parts results.json && mkdir parts
#   export PARTS=$(($(ls class | wc -l) / 10 + 1))
#   export SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')       # the same cases for everybody
#   sbatch --wait --array=1-$PARTS grade-slurm.sh
#   attn report merge parts/*.json --format json --output results.json
#
# ATTN says where attn is, if not on the PATH. When merging names parts that are not there or were
# ended early, grade those again, with the same PARTS and SEED: sbatch --array=3,7 grade-slurm.sh
set -u
set -- grade class --part "$SLURM_ARRAY_TASK_ID/$PARTS" --seed "$SEED" --resume
[ ! -e assignment.yaml ] || set -- "$@" --assignment assignment.yaml
[ ! -e class.csv ] || set -- "$@" --roster class.csv
"${ATTN:-attn}" "$@" --jobs "$SLURM_CPUS_PER_TASK" --format json --output "parts/$SLURM_ARRAY_TASK_ID.json"
[ $? -le 1 ] # a student whose work does not pass is no failed task

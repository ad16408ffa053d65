#!/bin/sh
#SBATCH --job-name=attn-grade
#SBATCH --cpus-per-task=2
#SBATCH --time=00:10:00
#SBATCH --output=parts/%a.log
#
# A Slurm job array: task N grades the student in line N of students.txt. In the folder above class/:
#
#   rm -rf parts results.json && mkdir parts && ls class >students.txt
#   SEED=$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')       # the same cases for everybody
#   sbatch --array=1-$(wc -l <students.txt) --export=ALL,SEED="$SEED" grade-slurm.sh
#   attn report merge parts/*.json --format json --output results.json     # when all are done
set -u
student=$(sed -n "${SLURM_ARRAY_TASK_ID}p" students.txt)
attn grade "class/$student" --student "$student" --jobs "$SLURM_CPUS_PER_TASK" --seed "$SEED" \
    --format json --output "parts/$SLURM_ARRAY_TASK_ID.json"
[ $? -le 1 ] # a student whose work does not pass is no failed task

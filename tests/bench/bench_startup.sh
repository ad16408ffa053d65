#!/usr/bin/env bash
# A whole process `attn eval '1'` against `lua5.4 -e ''`, in alternation: the ratio of the medians,
# and the peak memory. Fails over the limits. Run by ./dev bench, which sets ATTN, LUA and
# TIME_COMMAND (GNU time).
set -eu -o pipefail

rounds=10 runs_a_round=60
ratio_limit=2.5 memory_limit_kb=12288

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# hyperfine splits its commands as a shell does; a link spares the quoting of a path with spaces.
ln -s "$ATTN" "$scratch/attn"
for ((round = 1; round <= rounds; round++)); do
    hyperfine -N --warmup 5 --runs "$runs_a_round" --style none \
        --export-json "$scratch/$round.json" "$scratch/attn eval 1" "$LUA -e ''" \
        >"$scratch/log" 2>&1 || { cat "$scratch/log" >&2 && exit 1; }
done
"$TIME_COMMAND" -f %M -o "$scratch/memory" "$ATTN" eval 1 >/dev/null

python3 - "$scratch" "$rounds" "$ratio_limit" "$memory_limit_kb" <<'END'
import json
import statistics
import sys

scratch, rounds, ratio_limit, memory_limit_kb = sys.argv[1], *map(float, sys.argv[2:])
times = [[], []]
for number in range(1, int(rounds) + 1):
    with open(f"{scratch}/{number}.json", encoding="utf-8") as file:
        for side, result in zip(times, json.load(file)["results"]):
            side += result["times"]
attn_ms, lua_ms = (1000 * statistics.median(side) for side in times)
with open(f"{scratch}/memory", encoding="utf-8") as file:
    memory_kb = int(file.read().split()[-1])

ratio = attn_ms / lua_ms
print(f"startup: attn {attn_ms:.2f} ms, lua {lua_ms:.2f} ms (medians of {len(times[0])}): "
      f"ratio {ratio:.2f}, limit {ratio_limit:g}")
print(f"startup: peak memory {memory_kb:.0f} KB, limit {memory_limit_kb:.0f} KB")
sys.exit(0 if ratio <= ratio_limit and memory_kb <= memory_limit_kb else 1)
END

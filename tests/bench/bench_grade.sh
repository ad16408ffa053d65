#!/usr/bin/env bash
# How long a verdict takes, against `cc -c` and the linking `cc` of the same files; attn measures it
# itself, in alternation, and prints the ratio and its limit. Then a simulated class: files a second,
# and how much of the time is the compiler's. With options, such as --scale 100,200,400, only the
# class: see grade_class.py --help.
[ $# -gt 0 ] || "$ATTN" bench grade || status=1
python3 "${BASH_SOURCE[0]%/*}/grade_class.py" "$@" || status=1
exit "${status:-0}"

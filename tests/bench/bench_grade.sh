#!/usr/bin/env bash
# How long a verdict takes, against `cc -c` and the linking `cc` of the same files; attn measures it
# itself, in alternation, and prints the ratio and its limit.
exec "$ATTN" bench grade

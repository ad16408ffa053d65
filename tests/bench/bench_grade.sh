#!/usr/bin/env bash
# What a verdict costs beyond the compiler, the linker and one run of the program; attn measures it
# itself, in alternation, and prints the ratio and its limit.
exec "$ATTN" bench grade

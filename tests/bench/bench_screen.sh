#!/usr/bin/env bash
# How long the full screen takes from a key to its frame, and to the first; attn measures it itself,
# at a terminal of its own, and prints the limits.
exec "$ATTN" bench screen

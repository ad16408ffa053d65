#!/usr/bin/env bash
# How long the search for a mistake takes, on wrong answers that need no program.
exec "$ATTN" bench diagnose

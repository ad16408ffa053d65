#!/usr/bin/env bash
# Run once by Gradescope, as root, when it makes the image of this autograder: builds attn.
set -eu
source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd -P)
export DEBIAN_FRONTEND=noninteractive
apt-get update
apt-get install -y --no-install-recommends gcc libc6-dev meson python3
# Ubuntu 22.04 has a meson from before attn's time.
case $(meson --version) in
0.*)
    apt-get install -y --no-install-recommends python3-pip
    python3 -m pip install --quiet 'meson>=1.0,<2'
    ;;
esac
"$source/attn/dev" run --version # installs what else is needed
chmod -R go-rwx "$source"

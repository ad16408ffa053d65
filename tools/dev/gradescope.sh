# ./dev gradescope: an autograder made from this checkout.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# What setup.sh there builds attn from. Not the proofs of the exercises: they hold the solutions.
gradescope_sources='LICENSE README.md dev meson.build meson_options.txt src assets exercises tools
    tests/meson.build tests/bench tests/fuzz'

# Packs folder $1 into the zip $2, with the assignment $3 and the exercises $4 where they are given.
pack_gradescope() (
    # shellcheck disable=SC2086 # paths without spaces
    mkdir "$1/attn" &&
        tar -C "$root" -cf - --exclude=__pycache__ $gradescope_sources | tar -C "$1/attn" -xf - &&
        cp "$root/tools/gradescope/setup.sh" "$root/tools/gradescope/run_autograder" "$1" &&
        { [ -z "$3" ] || cp "$3" "$1/assignment.yaml"; } &&
        { [ -z "$4" ] || cp -R "$4" "$1/exercises"; } &&
        rm -f "$2" && cd "$1" && zip -q -r -X "$2" .
)

cmd_gradescope() {
    local zip=$root/build/gradescope.zip folder assignment='' exercises=''
    while [ $# -gt 0 ]; do
        case $1 in
        --assignment | --exercises)
            [ -r "${2-}" ] || die "$1 ${2-}: it can't be read"
            if [ "$1" = --assignment ]; then assignment=$2; else exercises=$2; fi
            shift
            ;;
        -*) die "gradescope: $1: no such option" ;;
        *) zip=$1 ;;
        esac
        shift
    done
    provide zip
    case $zip in /*) ;; *) zip=$PWD/$zip ;; esac
    mkdir -p "$root/build"
    folder=$(mktemp -d) || die 'no folder to work in'
    pack_gradescope "$folder" "$zip" "$assignment" "$exercises" || {
        rm -rf "$folder"
        die "$zip could not be made"
    }
    rm -rf "$folder"
    say "made $zip: upload it as the autograder of a programming assignment"
}

# ./dev pictures and ./dev screens: the pictures in docs/pictures/.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

# The table is tools/pictures.txt; see there.
cmd_pictures() {
    local name arguments picture wanted=" $* " made=0
    provide "${build_needs[@]}"
    configure build
    compile build attn
    mkdir -p "$root/docs/pictures"
    while read -r name arguments; do
        case $name in '' | '#'*) continue ;; esac
        case $wanted in '  ' | *" $name "*) ;; *) continue ;; esac
        picture=$root/docs/pictures/$name.svg
        # xargs splits the arguments at spaces and honours quotes, as a shell would, and no more.
        if ! printf '%s\n' "$arguments" | xargs "$root/build/attn" >"$picture.new" ||
            ! head -c 200 "$picture.new" | grep -q '<svg'; then
            rm -f "$picture.new"
            die "no picture $name: attn $arguments failed or printed no SVG"
        fi
        mv "$picture.new" "$picture"
        say "made docs/pictures/$name.svg"
        made=$((made + 1))
    done <"$root/tools/pictures.txt"
    [ $made -gt 0 ] || die 'tools/pictures.txt lists no such picture'
    [ $# -gt 0 ] && return
    for page in README.md assets/model/README.md; do
        "$root/tools/readme_session.py" --write "$root/build/attn" "$root/$page" >&2
    done
}

# The names of the pictures in tools/screens.txt.
screen_names() {
    sed -n 's/^\([a-z][a-z0-9-]*\) .*/\1/p' "$root/tools/screens.txt"
}

# Makes the pictures $2... in directory $1, as SVG and PNG.
draw_screens() {
    local folder=$1 name
    shift
    ATTN=$root/build/attn ATTN_DATA_DIR=$root "$root/build/tests/screens" "$root/tools/screens.txt" \
        --svg "$folder" "$@" || return
    for name in "$@"; do
        rsvg-convert -o "$folder/$name.png" "$folder/$name.svg" && [ -s "$folder/$name.png" ] || return
        say "made $name.svg and $name.png"
    done
}

# The table is tools/screens.txt; see there.
cmd_screens() {
    local folder=$root/docs/pictures scratch='' name status=0 checks=false
    [ "${1:-}" != --check ] || { checks=true && shift; }
    # shellcheck disable=SC2046 # names without spaces
    [ $# -gt 0 ] || set -- $(screen_names)
    for name in "$@"; do
        screen_names | grep -q -x -e "$name" || die "tools/screens.txt lists no picture $name"
    done
    provide "${screens_needs[@]}"
    configure build -Dtests=enabled
    compile build attn tests/screens
    if $checks; then
        scratch=$(mktemp -d) || die 'no folder to work in'
        folder=$scratch
    fi
    mkdir -p "$folder"
    draw_screens "$folder" "$@" || status=1
    [ -z "$scratch" ] || rm -rf "$scratch"
    [ $status = 0 ] || die 'a screen could not be made'
}

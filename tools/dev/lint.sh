# ./dev lint: what the compilers and the checkers find.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

lint_format() {
    clang_format --dry-run --Werror
}

# The compiler $1 finds nothing to warn of in any file.
lint_warnings() (
    export CC="$1"
    configure "build-$1" -Dtests=enabled -Dwerror=true
    compile "build-$1"
)

# The C files that are built and ours, one a line.
built_files() {
    python3 - "$root" <<'END'
import json, os, sys
root = sys.argv[1]
with open(os.path.join(root, "build-clang", "compile_commands.json")) as file:
    entries = json.load(file)
names = {os.path.normpath(os.path.join(e["directory"], e["file"])) for e in entries}
print("\n".join(sorted(name for name in names if name.endswith(".c"))))
END
}

# Checks file $2 of checkout $1 and makes stamp $3 when there was nothing to report.
# shellcheck disable=SC2016 # for a shell of its own
tidy_one='
    [ $# = 3 ] || exit 0
    root=$1 file=$2 stamp=$3
    set -- --extra-arg=-include --extra-arg="$root/tools/analyzer.h"
    [ "$file" != "$root/src/base/error.c" ] || shift 2
    report=$(clang-tidy -p "$root/build-clang" --quiet "$@" "$file" 2>&1) && : >"$stamp" && exit 0
    printf "%s\n" "$report" | grep -v " warnings\{0,1\} generated\.$"
    exit 1
'

# Files that passed are not looked at again until they, a header or the checks change.
lint_tidy() {
    local stamps=$root/build-clang/tidy file stamp header_time=$root/build-clang/tidy/headers
    mkdir -p "$stamps"
    if [ ! -e "$header_time" ] || [ "$root/.clang-tidy" -nt "$header_time" ] ||
        [ -n "$(find "$root/src" "$root/tests" "$root/tools" -name '*.h' -newer "$header_time" -print)" ]; then
        rm -f "$stamps"/*
        : >"$header_time"
    fi
    built_files | while IFS= read -r file; do
        stamp=${file#"$root/"}
        stamp=$stamps/${stamp//\//_}
        if [ ! -e "$stamp" ] || [ "$file" -nt "$stamp" ]; then printf '%s\0%s\0' "$file" "$stamp"; fi
    done | xargs -0 -n 2 -P "$(cores)" sh -c "$tidy_one" sh "$root"
}

lint_cppcheck() {
    mkdir -p "$root/build-clang/cppcheck"
    cppcheck --project="$root/build-clang/compile_commands.json" --quiet --error-exitcode=1 \
        --enable=warning,style,performance,portability --inline-suppr -j "$(cores)" \
        --suppressions-list="$root/tools/cppcheck-suppressions.txt" \
        --cppcheck-build-dir="$root/build-clang/cppcheck" >&2
}

lint_shell() {
    ! have shellcheck || shellcheck -x -P "$root" "$root/dev" "$root/.ci/run" "$root"/tools/dev/*.sh
}

cmd_lint() {
    local step failed='' steps='format english warnings_gcc floors posix warnings_clang tidy cppcheck shell'
    case ${1:-} in
    '') provide "${lint_needs[@]}" ;;
    --format-only) steps='format english' && provide "${format_needs[@]}" ;;
    *) usage >&2 && exit 2 ;;
    esac
    for step in $steps; do
        say "lint: ${step/_/ of }"
        case $step in
        english) python3 "$root/tools/check_english.py" "$root" ;;
        floors) python3 "$root/tools/check_floors.py" "$root" "$root/build-gcc" ;;
        posix) python3 "$root/tools/check_posix.py" "$root" "$root/build-gcc" ;;
        warnings_*) lint_warnings "${step#warnings_}" ;;
        *) "lint_$step" ;;
        esac || failed="$failed ${step/_/ of },"
    done
    [ -z "$failed" ] || die "lint found something to correct in:${failed%,}"
}

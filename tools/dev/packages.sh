# What a subcommand of ./dev needs of this machine, and how that is brought. Sourced by dev.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

have() {
    command -v "$1" >/dev/null 2>&1
}

on_macos() {
    case ${OSTYPE:-} in darwin*) return 0 ;; esac
    return 1
}

# A need is the name of a command, lib:NAME for a library that pkg-config knows, python:NAME for a
# module of Debian's Python, npm:NAME for a package of that registry, or one of the words that meets()
# explains.

build_needs=(compiler c-headers meson ninja pkg-config lib:readline lib:ncursesw
    lib:libutf8proc lib:yaml-0.1 lib:jansson lib:sqlite3 lib:libpcre2-8
    lib:md4c lib:libsodium lib:zlib)
on_macos || build_needs+=(lib:libseccomp) # which is Linux's own
test_needs=("${build_needs[@]}" python3 lib:cmocka lib:vterm)
# shellcheck disable=SC2034 # read by dev
format_needs=(clang-format)
lint_needs=("${test_needs[@]}" clang clang-format clang-tidy cppcheck)
fuzz_needs=("${build_needs[@]}" clang fuzzer-runtime)
bench_needs=("${test_needs[@]}" hyperfine lua gnu-time)
screens_needs=("${test_needs[@]}" rsvg-convert mono-font)
# The library built for another machine, and what runs it here.
# shellcheck disable=SC2034
neon_needs=(meson ninja pkg-config compiler aarch64-linux-gnu-gcc qemu-aarch64 aarch64-libraries)
# What ./dev bench --peers compares with. The compiler is gcc's or clang's, with OpenMP.
# shellcheck disable=SC2034 # read by tools/dev/bench.sh
peer_needs=(lib:openblas dnnl python:torch python:numpy npm:onnxruntime-node)
peers_folder=build/peers
valgrind_needs=("${test_needs[@]}" valgrind)

# What to install for need $1: sets debian and brew to package names and words to what a person on
# another system looks for.
package_of() {
    debian=$1 brew=$1 words=$1
    case $1 in
    compiler) debian='gcc' brew='' words='a C compiler' ;;
    c-headers) debian='libc6-dev' brew='' words='the C library headers' ;;
    ninja) debian='ninja-build' ;;
    pkg-config) brew='pkgconf' ;;
    lib:readline) debian='libreadline-dev' brew='readline' words='readline with its headers' ;;
    lib:ncursesw) debian='libncurses-dev' brew='ncurses' words='ncurses with its headers' ;;
    lib:libutf8proc) debian='libutf8proc-dev' brew='utf8proc' words='utf8proc with its headers' ;;
    lib:yaml-0.1) debian='libyaml-dev' brew='libyaml' words='libyaml with its headers' ;;
    lib:jansson) debian='libjansson-dev' brew='jansson' words='jansson with its headers' ;;
    lib:sqlite3) debian='libsqlite3-dev' brew='sqlite' words='SQLite with its headers' ;;
    lib:libpcre2-8) debian='libpcre2-dev' brew='pcre2' words='PCRE2 with its headers' ;;
    lib:md4c) debian='libmd4c-dev' brew='md4c' words='md4c with its headers' ;;
    lib:libsodium) debian='libsodium-dev' brew='libsodium' words='libsodium with its headers' ;;
    lib:zlib) debian='zlib1g-dev' brew='zlib' words='zlib with its headers' ;;
    lib:libseccomp) debian='libseccomp-dev' brew='' words='libseccomp with its headers' ;;
    lib:cmocka) debian='libcmocka-dev' brew='cmocka' words='cmocka with its headers' ;;
    lib:vterm) debian='libvterm-dev' brew='libvterm' words='libvterm with its headers' ;;
    clang | clang-tidy) brew='llvm' ;;
    fuzzer-runtime) debian=$(fuzzer_package) brew='llvm' words='libFuzzer (part of compiler-rt)' ;;
    lib:openblas) debian='libopenblas-pthread-dev' brew='openblas' words='OpenBLAS with its headers' ;;
    dnnl) debian='libdnnl-dev' brew='onednn' words='oneDNN with its headers' ;;
    python:*) debian=python3-${1#python:} brew='' words="${1#python:} for Python" ;;
    node) debian='nodejs' words='Node.js' ;;
    lua) debian='lua5.4' brew='lua' words='Lua 5.4' ;;
    gnu-time) debian='time' brew='gnu-time' words='GNU time' ;;
    rsvg-convert) debian='librsvg2-bin' brew='librsvg' words='rsvg-convert (part of librsvg)' ;;
    aarch64-linux-gnu-gcc) debian='gcc-aarch64-linux-gnu libc6-dev-arm64-cross' ;;
    qemu-aarch64) debian='qemu-user' ;;
    aarch64-libraries) debian='libcmocka-dev:arm64' words='cmocka for AArch64' ;;
    mono-font) debian='fonts-dejavu-core' brew='' words='the font DejaVu Sans Mono' ;;
    esac
}

# Debian keeps clang's fuzzer in a package that carries clang's version, except for old ones.
fuzzer_package() {
    local version
    version=$(clang_version clang)
    [ -n "$version" ] || version=$(apt-cache show clang 2>/dev/null |
        sed -n 's/^Depends:.*clang-\([0-9][0-9]*\).*/\1/p' | head -n 1)
    if apt-cache show "libclang-rt-$version-dev" >/dev/null 2>&1; then
        printf 'libclang-rt-%s-dev\n' "$version"
    else
        printf 'libclang-common-%s-dev\n' "$version"
    fi
}

# The major version of a tool of the LLVM family; nothing where it is missing.
clang_version() {
    have "$1" && "$1" --version | sed -n 's/.*version \([0-9][0-9]*\).*/\1/p' | head -n 1
}

# The commands that go by several names.
lua_command() {
    have lua5.4 && echo lua5.4 && return
    have lua && lua -v 2>&1 | grep -q '^Lua 5\.4' && echo lua
}

time_command() {
    local command
    for command in gtime time; do
        type -P "$command" >/dev/null && "$(type -P "$command")" -f %M true >/dev/null 2>&1 &&
            type -P "$command" && return
    done
    return 1
}

has_module() {
    have "$1" && "$1" -c 'import importlib.util, sys; sys.exit(not importlib.util.find_spec(sys.argv[1]))' "$2"
}

# True when the machine has need $1. Libraries are asked for all at once, in lacking().
meets() {
    case $1 in
    compiler)
        if on_macos; then
            xcode-select -p >/dev/null 2>&1
        elif [ -n "${CC:-}" ]; then
            have "${CC%% *}"
        else
            have cc || have gcc || have clang
        fi
        ;;
    # A Debian with a compiler may still lack what the compiler includes.
    c-headers) ! have apt-get || [ -e /usr/include/stdio.h ] ;;
    fuzzer-runtime)
        have clang || return 1
        set -- "$(clang -print-resource-dir)"/lib/*/libclang_rt.fuzzer*
        [ -e "$1" ]
        ;;
    lua) [ -n "$(lua_command)" ] ;;
    gnu-time) time_command >/dev/null ;;
    dnnl) [ -e /usr/include/dnnl.h ] || [ -e /usr/local/include/dnnl.h ] ;;
    python:*) has_module python3 "${1#*:}" || has_module /usr/bin/python3 "${1#*:}" ;;
    npm:*) [ -e "$root/$peers_folder/node_modules/${1#npm:}" ] ;;
    # The letters of the pictures; macOS has some of its own.
    mono-font) on_macos || { have fc-list && [ -n "$(fc-list ':family=DejaVu Sans Mono' family)" ]; } ;;
    aarch64-libraries)
        [ -e /usr/lib/aarch64-linux-gnu/pkgconfig/cmocka.pc ]
        ;;
    *) have "$1" ;;
    esac
}

# Prints which of the needs $@ the machine does not meet.
lacking() {
    local need libraries='' missing=''
    for need in "$@"; do
        case $need in
        lib:*) libraries="$libraries ${need#lib:}" ;;
        *) meets "$need" || missing="$missing $need" ;;
        esac
    done
    # shellcheck disable=SC2086 # names of libraries, without spaces
    if [ -n "$libraries" ] && ! pkg-config --exists $libraries 2>/dev/null; then
        for need in $libraries; do
            pkg-config --exists "$need" 2>/dev/null || missing="$missing lib:$need"
        done
    fi
    printf '%s' "${missing# }"
}

# Prints column $1 (debian, brew or words) of the needs that follow, split by $separator.
column() {
    local which=$1 need list=''
    # shellcheck disable=SC2034 # read through ${!which}
    local debian brew words
    shift
    for need in "$@"; do
        package_of "$need"
        case "$separator$list$separator" in
        *"$separator${!which}$separator"*) ;;
        *) list=$list${list:+$separator}${!which} ;;
        esac
    done
    printf '%s' "$list"
}

apt_get() {
    local sudo=''
    [ "$(id -u)" = 0 ] || sudo=sudo
    $sudo env DEBIAN_FRONTEND=noninteractive LC_ALL=C apt-get -q -y -o DPkg::Lock::Timeout=120 \
        "$@" </dev/null 2>&1
}

# Libraries for another machine come from that machine's packages.
add_architecture() {
    local sudo=''
    [ "$(id -u)" = 0 ] || sudo=sudo
    dpkg --print-foreign-architectures | grep -qx "$1" || $sudo dpkg --add-architecture "$1"
}

install_with_apt() {
    local packages log separator=' '
    if [ "$(id -u)" != 0 ] && ! have sudo; then
        die "missing: $(column debian "$@"). Without sudo, run as root: apt-get install $(column debian "$@")"
    fi
    case " $* " in *' aarch64-libraries '*) add_architecture arm64 ;; esac
    say 'updating the package lists (apt-get update)'
    log=$(apt_get update) || log="$log"$'\n'
    packages=$(column debian "$@")
    say "installing $packages (apt-get)"
    # shellcheck disable=SC2086 # names of packages, without spaces
    log=$log$(apt_get install --no-install-recommends $packages) || {
        printf '%s\n' "$log" | tail -n 25 >&2
        die "apt-get could not install: $packages. Above is what it said"
    }
}

install_with_brew() {
    local packages separator=' '
    packages=$(column brew "$@")
    case " $* " in *' compiler '*) die "missing: a C compiler. Run: xcode-select --install" ;; esac
    have brew || die "missing: $packages. Install them with Homebrew, or by other means, and run this again"
    say "installing $packages (brew)"
    # shellcheck disable=SC2086 # names of packages, without spaces
    brew install --quiet $packages </dev/null >&2 || die "brew could not install: $packages"
    find_brew_libraries
}

# brew keeps some of what it installs out of the usual paths.
find_brew_libraries() {
    local brew prefix
    brew=$(command -v brew) || return 0
    prefix=${brew%/bin/brew}/opt
    export PKG_CONFIG_PATH="$prefix/readline/lib/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}"
    export PATH="$PATH:$prefix/llvm/bin"
}

# Packages of the registry npm go into a folder of build/, without the scripts they would like to run,
# which fetch what is for graphics cards.
install_with_npm() {
    local need log
    provide node npm
    mkdir -p "$root/$peers_folder"
    [ -e "$root/$peers_folder/package.json" ] || echo '{"private": true}' >"$root/$peers_folder/package.json"
    for need in "$@"; do
        say "installing ${need#npm:} into $peers_folder/ (npm)"
        log=$(npm install --prefix "$root/$peers_folder" --ignore-scripts --no-audit --no-fund \
            "${need#npm:}@$(npm_version "${need#npm:}")" </dev/null 2>&1) || {
            printf '%s\n' "$log" | tail -n 25 >&2
            die "npm could not install ${need#npm:}. Above is what it said"
        }
    done
}

# The version that the benchmarks were written with.
npm_version() {
    case $1 in
    onnxruntime-node) echo 1.30.0 ;;
    *) echo latest ;;
    esac
}

# Brings what of the needs $@ the machine lacks.
provide() {
    local need npm='' others=''
    for need in $(lacking "$@"); do
        case $need in npm:*) npm="$npm $need" ;; *) others="$others $need" ;; esac
    done
    # shellcheck disable=SC2086 # needs are words without spaces
    [ -z "$others" ] || provide_from_system $others
    # shellcheck disable=SC2086
    [ -z "$npm" ] || install_with_npm $npm
}

# The same by the system's package manager, for needs that the machine lacks.
provide_from_system() {
    local missing=$* separator
    # shellcheck disable=SC2086 # needs are words without spaces
    if on_macos; then
        install_with_brew $missing
    elif have apt-get; then
        install_with_apt $missing
    else
        separator=', '
        die "missing: $(column words $missing). Install them with this system's package manager and run this again"
    fi
    hash -r
    missing=$(lacking "$@")
    separator=', '
    # shellcheck disable=SC2086
    [ -z "$missing" ] || die "still missing after the installation: $(column words $missing)"
}

cmd_install_deps() {
    provide "${lint_needs[@]}" "${fuzz_needs[@]}" "${bench_needs[@]}" "${screens_needs[@]}"
    on_macos || provide "${valgrind_needs[@]}"
}

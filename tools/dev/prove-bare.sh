# ./dev prove-bare: the README on a bare system.
# shellcheck shell=bash disable=SC2154 # sourced by dev, which sets root and the needs

cmd_prove_bare() {
    on_macos && die 'a bare Debian can only be made on Linux'
    [ $# -gt 0 ] || { usage >&2 && exit 2; }
    PATH=$PATH:/usr/sbin:/sbin provide debootstrap git
    PATH=$PATH:/usr/sbin:/sbin exec bash "$root/tests/chroot.sh" "$@"
}

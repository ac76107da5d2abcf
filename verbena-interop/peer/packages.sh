# Sourced by scripts that download packages; the current directory is the cache.

die() { echo "$*" >&2; exit 1; }

# get PACKAGE…: downloads packages that are not in deb yet.
get() {
    local package
    for package in "$@"; do
        compgen -G "deb/${package}_*.deb" >/dev/null && continue
        (cd deb && apt-get -q download "$package") >download.log 2>&1 ||
            die "could not download $package: $(tail -n 1 download.log)"
    done
}

# Read by the launchers and by tests/run, with $program set to the path of the script that reads
# it (not a symlink): finds the checkout's own environment, and has it made or repaired first
# where it is not what the lock says. A warm start costs one `cmp`.
root=$(CDPATH='' cd -P -- "${program%/*}/.." && pwd) || exit 128
python=$root/.venv/bin/python

# Print a Python that can make the environment. Each candidate is run: a name on PATH may be a
# version manager's shim with nothing behind it.
find_python() {
    for candidate in python3 python3.14 python3.13 python3.12 python3.11 \
        "$(uv python find --no-project '>=3.11' 2>/dev/null)"; do
        if [ -n "$candidate" ] && "$candidate" -I -c \
            'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            printf '%s\n' "$candidate"
            return
        fi
    done
    echo 'fatal: no Python 3.11 or newer was found' >&2
    echo "hint: install one (as python3 or python3.11 on PATH), then run the same command again" >&2
    return 1
}

# Make sure that what requirements/$1.txt pins is installed: "run", or "dev" which holds it too.
prepare() {
    if [ -x "$python" ] && cmp -s "$root/.venv/$1.txt" "$root/requirements/$1.txt"; then
        return
    fi
    maker=$(find_python) || exit 128
    "$maker" -I "$root/bin/environment.py" "$1" </dev/null >&2 || exit
}

# Become the command whose module is named. -I: neither the current directory nor the user's
# PYTHON* variables say what is imported; the checkout is on the path by the environment itself.
run_command() {
    module=$1
    shift
    prepare run
    exec "$python" -I -m "git_retcon.commands.$module" "$@"
}

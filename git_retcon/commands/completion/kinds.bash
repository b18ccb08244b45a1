What is offered for each kind of value. The text before the first section is in no script.
Functions take what is typed from "cur", and the folder that paths start from as "folder".

### spec specification file directory
# Add the paths that begin with what is typed: files that $1 (a command) says yes to, and folders
# unless $2 is false.
_@ID@_offer_paths() {
    local from=$folder typed=$cur file word
    case $typed in [\"\']*) return ;; esac # an open quote: leave it to bash's own file names
    typed=${typed//\\/}
    case $typed in \~/*) typed=$HOME/${typed#\~/} ;; esac
    case $typed in /*) from= ;; *) from=$from/ ;; esac
    for file in "$from$typed"*; do
        printf -v word '%q' "${file#"$from"}"
        if [[ -d $file ]]; then
            "${2:-true}" && COMPREPLY+=("$word/")
        elif [[ -e $file ]] && "$1" "$file"; then
            COMPREPLY+=("$word ")
        fi
    done
}

### file
_@ID@_offer_file() {
    _@ID@_offer_paths true
}

### directory
_@ID@_offer_directory() {
    _@ID@_offer_paths false
}

### specification
_@ID@_offer_specification() {
    _@ID@_offer_paths _@ID@_is_specification
}

_@ID@_is_specification() {
    [[ $1 == *.allium ]]
}

### spec
# Spec files; where there is none, other TOML files and the folders to look in.
_@ID@_offer_spec() {
    local before=${#COMPREPLY[@]}
    _@ID@_offer_paths _@ID@_is_spec false
    ((${#COMPREPLY[@]} > before)) || _@ID@_offer_paths _@ID@_is_toml
}

_@ID@_is_spec() {
    [[ $1 == *.toml ]] && grep -q '^[[:space:]]*\[\[commit\]\]' -- "$1" 2>/dev/null
}

_@ID@_is_toml() {
    [[ $1 == *.toml ]]
}

### revision module
# Add the branches and tags that begin with what is typed.
_@ID@_offer_revision() {
    _@ID@_offer "HEAD $(git -C "$folder" for-each-ref --format='%(refname:short)' \
        refs/heads refs/tags refs/remotes 2>/dev/null)"
}

### module
# The same; behind "REV:" the modules of the specification.
_@ID@_offer_module() {
    local branch names
    if [[ $cur != *:* ]]; then
        _@ID@_offer_revision
        return
    fi
    branch=$(git -C "$folder" config allium.branch)
    names=$(git -C "$folder" ls-tree -r --name-only "${branch:-allium/evolution}:spec" 2>/dev/null)
    cur=${cur#*:} # bash takes the colon for the end of a word
    _@ID@_offer "${names//.allium/}"
}

### declaration
# What the specification declares.
_@ID@_offer_declaration() {
    local branch names
    branch=$(git -C "$folder" config allium.branch)
    names=$(git -C "$folder" grep -hE '^(external entity|entity|value|enum|rule|contract) ' \
        "${branch:-allium/evolution}" -- spec 2>/dev/null | sed 's/ *{.*//; s/.* //')
    _@ID@_offer "$names"
}

### remote
_@ID@_offer_remote() {
    _@ID@_offer "$(git -C "$folder" remote 2>/dev/null)"
}

### variable
_@ID@_offer_variable() {
    _@ID@_offer "$(compgen -e)"
}

### workflow job
# Set "workflows" to the folder of the repository's workflows.
_@ID@_find_workflows() {
    workflows=$folder
    [[ $workflows == /* ]] || workflows=$PWD/$workflows
    while [[ $workflows == /*/* && ! -e $workflows/.git ]]; do
        workflows=${workflows%/*}
    done
    workflows+=/.github/workflows
}

### workflow
_@ID@_offer_workflow() {
    local workflows file word
    _@ID@_find_workflows
    for file in "$workflows"/*.y*ml; do
        [[ -f $file && ${file##*/} == "${cur//\\/}"* ]] || continue
        printf -v word '%q' "${file##*/}"
        COMPREPLY+=("$word ")
    done
}

### job
# The ids of jobs: the keys that are indented as the first one below "jobs:" is; and recent names.
_@ID@_offer_job() {
    local workflows file line inside indent key='^( +)([A-Za-z_][A-Za-z0-9_-]*):'
    _@ID@_find_workflows
    for file in "$workflows"/*.y*ml; do
        [[ -f $file ]] || continue
        inside= indent=
        while IFS= read -r line; do
            case $line in
            jobs:*) inside=yes ;;
            [!\ #]*) inside= ;;
            *)
                [[ $inside && $line =~ $key ]] || continue
                : "${indent:=${BASH_REMATCH[1]}}"
                [[ ${BASH_REMATCH[1]} == "$indent" ]] && _@ID@_offer "${BASH_REMATCH[2]}"
                ;;
            esac
        done <"$file"
    done
    _@ID@_offer_cells
}

# The names of jobs and of cells of a matrix, which the last checks had.
_@ID@_offer_cells() {
    local name word
    case $cur in [\"\']*) return ;; esac # an open quote
    while IFS= read -r name; do
        [[ $name == "${cur//\\/}"* ]] || continue
        printf -v word '%q' "$name"
        COMPREPLY+=("$word ")
    done < <(_@ID@_list_recent job)
}

### job run error
# Names that 'git heal' keeps beside its records, in lines of their kind and the name.
_@ID@_list_recent() {
    local common
    common=$(git -C "$folder" rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || return
    [[ -f $common/heal/recent ]] && sed -n "s/^$1 //p" "$common/heal/recent"
}

### run error
_@ID@_offer_recent() {
    _@ID@_offer "$(_@ID@_list_recent "$1")"
}

### run
_@ID@_offer_run() {
    _@ID@_offer_recent run
}

### error
_@ID@_offer_error() {
    _@ID@_offer_recent error
}

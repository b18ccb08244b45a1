# bash completion of git-allium(1), for "git-allium <TAB>" and "git allium <TAB>".
#
# To install it for yourself, where bash-completion looks:
#
#     folder=${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions
#     mkdir -p "$folder" && git allium completion bash >"$folder/git-allium"
#
# Without bash-completion, add this line to ~/.bashrc, below the one that reads git's own:
#
#     source <(git allium completion bash)
#
# git-allium itself does not run while you type: subcommands and options are listed here (a test keeps
# them in step). Only git is asked, for the names of branches and tags.

_git_allium_commands='evolve status show log check format completion help'

# Print the options of a subcommand. Those that take a value end in "=".
_git_allium_options() {
    local common='--json --quiet --verbose --color= --help'
    local run='--offline --engine= --model= --max-cost= --max-tokens= --sandbox= --yes --dry-run
        --events --show-prompt'
    case $1 in
    evolve)
        echo "$common" $run '--all --from= --last= --estimate --window-size= --process-depth=
        --max-diff-tokens= --max-concurrency='
        ;;
    check) echo "$common --rev= --format=" ;;
    format) echo "$common --check --dry-run" ;;
    *) echo "$common" ;;
    esac
}

# Print the values of an option that has a short list of them.
_git_allium_values() {
    case $1 in
    --color) echo 'auto always never' ;;
    --format) echo 'text github sarif' ;;
    --engine) echo 'offline claude' ;;
    --sandbox) echo 'auto require off' ;;
    esac
}

# Whether an option takes its value from the next word.
_git_allium_takes_value() {
    case $1 in
    --rev | --format | --from | --last | --engine | --model | --max-cost | --max-tokens | --sandbox | \
        --window-size | --process-depth | --max-diff-tokens | --max-concurrency) ;;
    *) return 1 ;;
    esac
}

# Add to COMPREPLY what of $1 (words) begins with $2. "--name=" waits for its value.
_git_allium_offer() {
    local word
    for word in $1; do
        [[ $word == "$2"* ]] || continue
        case $word in
        *=) COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done
}

# Add the branches and tags that begin with $2, of the repository at the folder $1.
_git_allium_offer_revisions() {
    local refs name
    refs=$(git -C "$1" for-each-ref --format='%(refname:short)' \
        refs/heads refs/tags refs/remotes 2>/dev/null)
    while read -r name; do
        [[ $name && $name == "$2"* ]] && COMPREPLY+=("$name ")
    done <<<"$refs"$'\n'HEAD
}

# Add the revisions that begin with $2, of the repository at the folder $1; behind "REV:" its
# modules.
_git_allium_offer_modules() {
    local branch names name
    if [[ $2 != *:* ]]; then
        _git_allium_offer_revisions "$1" "$2"
        return
    fi
    branch=$(git -C "$1" config allium.branch)
    names=$(git -C "$1" ls-tree -r --name-only "${branch:-allium/evolution}:spec" 2>/dev/null)
    while read -r name; do
        name=${name%.allium}
        # bash takes the colon for the end of a word
        [[ $name && $name == "${2#*:}"* ]] && COMPREPLY+=("$name ")
    done <<<"$names"
}

# Add the specifications and folders that begin with $2 (as it was typed), below the folder $1.
_git_allium_offer_files() {
    local folder=${1:-.} typed=$2 file word
    case $typed in [\"\']*) return ;; esac # an open quote: leave it to bash's own file names
    typed=${typed//\\/}
    case $typed in \~/*) typed=$HOME/${typed#\~/} ;; esac
    case $typed in /*) folder= ;; *) folder=$folder/ ;; esac
    for file in "$folder$typed"*; do
        printf -v word '%q' "${file#"$folder"}"
        if [[ -d $file ]]; then
            COMPREPLY+=("$word/")
        elif [[ -e $file && $file == *.allium ]]; then
            COMPREPLY+=("$word ")
        fi
    done
}

# Add the values of the option $2 that begin with $3, below the folder $1.
_git_allium_offer_value() {
    case $2 in
    --rev | --from) _git_allium_offer_revisions "$1" "$3" ;;
    *) _git_allium_offer "$(_git_allium_values "$2")" "$3" ;;
    esac
}

# Complete the last of the words after "allium"; $1 is the folder that paths start from.
_git_allium_complete() {
    local folder=$1 cur command= place=0 previous= word
    shift
    cur=${!#}
    while (($# > 1)); do
        word=$1
        shift
        if [[ $previous ]]; then
            previous=
        elif _git_allium_takes_value "$word"; then
            previous=$word
        elif [[ $word != -* ]]; then
            if [[ ! $command ]]; then command=$word; else place=$((place + 1)); fi
        fi
    done
    COMPREPLY=()
    if [[ $previous ]]; then
        _git_allium_offer_value "$folder" "$previous" "$cur"
    elif [[ $cur == --*=* ]]; then
        _git_allium_offer_value "$folder" "${cur%%=*}" "${cur#*=}"
    elif [[ $cur == -* && $command ]]; then
        _git_allium_offer "$(_git_allium_options "$command")" "$cur"
    elif [[ $cur == -* ]]; then
        _git_allium_offer '--help --version' "$cur"
    else
        case $command:$place in
        :*) _git_allium_offer "$_git_allium_commands" "$cur" ;;
        check:* | format:*) _git_allium_offer_files "$folder" "$cur" ;;
        show:0) _git_allium_offer_modules "$folder" "$cur" ;;
        evolve:0 | log:0) _git_allium_offer_revisions "$folder" "$cur" ;;
        completion:0) _git_allium_offer 'bash zsh fish' "$cur" ;;
        esac
    fi
}

# For "git allium": git's completion calls this with words and cword set.
_git_allium() {
    local at=${__git_cmd_idx:-1} folder=. i
    while ((at < cword)) && [[ ${words[at]} != allium ]]; do
        at=$((at + 1))
    done
    for ((i = 1; i < at; i++)); do
        [[ ${words[i]} == -C ]] || continue
        case ${words[i + 1]} in
        /*) folder=${words[i + 1]} ;;
        \~/*) folder=$HOME/${words[i + 1]#\~/} ;;
        *) folder=$folder/${words[i + 1]} ;;
        esac
    done
    _git_allium_complete "$folder" "${words[@]:at+1:cword-at}"
}

# For "git-allium". bash hands "--format=x" over as three words.
_git_allium_alone() {
    local i word joined= last
    local -a all=()
    for ((i = 1; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        last=$((${#all[@]} - 1))
        if ((last >= 0)) && [[ $word == = && ${all[last]} == --* && ${all[last]} != *=* ]]; then
            all[last]+==
            joined=yes
        elif [[ $joined ]]; then
            all[last]+=$word
            joined=
        else
            all+=("$word")
        fi
    done
    _git_allium_complete . "${all[@]}"
}

complete -o bashdefault -o default -o nospace -F _git_allium_alone git-allium

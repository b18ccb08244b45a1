# bash completion of git-code-commit(1), for "git-code-commit <TAB>" and "git code-commit <TAB>".
#
# To install it for yourself, where bash-completion looks:
#
#     folder=${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions
#     mkdir -p "$folder" && git code-commit completion bash >"$folder/git-code-commit"
#
# Without bash-completion, add this line to ~/.bashrc, below the one that reads git's own:
#
#     source <(git code-commit completion bash)
#
# No program runs while you type: subcommands and options are listed here (a test keeps them in step).

_git_code_commit_commands='run undo rollup completion help'

# Print the options of a subcommand. Those that take a value end in "=".
_git_code_commit_options() {
    local common='--json --quiet --verbose --color= --help'
    case $1 in
    run)
        echo "$common --offline --engine= --model= --max-cost= --max-tokens= --sandbox= --yes
            --dry-run --events --show-prompt --query= --file= --response= --build= --repairs=
            --timeout= --force --commit --message= --abort"
        ;;
    rollup) echo "$common --max-tokens=" ;;
    undo) echo "$common --force" ;;
    *) echo "$common" ;;
    esac
}

# Print the values of an option that has a short list of them.
_git_code_commit_values() {
    case $1 in
    --color) echo 'auto always never' ;;
    --engine) echo 'offline claude' ;;
    --sandbox) echo 'auto require off' ;;
    esac
}

# Whether an option takes its value from the next word.
_git_code_commit_takes_value() {
    case $1 in
    --engine | --model | --max-cost | --max-tokens | --sandbox | --query | --file | -F) ;;
    --response | --build | --repairs | --timeout | --message | -m) ;;
    *) return 1 ;;
    esac
}

# Add to COMPREPLY what of $1 (words) begins with $2. "--name=" waits for its value.
_git_code_commit_offer() {
    local word
    for word in $1; do
        [[ $word == "$2"* ]] || continue
        case $word in
        *=) COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done
}

# Add the files and folders that begin with $2 (as it was typed), below the folder $1.
_git_code_commit_offer_files() {
    local folder=${1:-.} typed=$2 file word
    case $typed in [\"\']*) return ;; esac # an open quote: leave it to bash's own file names
    typed=${typed//\\/}
    case $typed in \~/*) typed=$HOME/${typed#\~/} ;; esac
    case $typed in /*) folder= ;; *) folder=$folder/ ;; esac
    for file in "$folder$typed"*; do
        [[ -e $file ]] || continue
        printf -v word '%q' "${file#"$folder"}"
        if [[ -d $file ]]; then COMPREPLY+=("$word/"); else COMPREPLY+=("$word "); fi
    done
}

# Add the values of the option $2 that begin with $3, below the folder $1.
_git_code_commit_offer_value() {
    case $2 in
    --file | -F | --response) _git_code_commit_offer_files "$1" "$3" ;;
    *) _git_code_commit_offer "$(_git_code_commit_values "$2")" "$3" ;;
    esac
}

# Complete the last of the words after "code-commit"; $1 is the folder that paths start from.
_git_code_commit_complete() {
    local folder=$1 cur command= place=0 previous= word
    shift
    cur=${!#}
    while (($# > 1)); do
        word=$1
        shift
        if [[ $previous ]]; then
            previous=
        elif _git_code_commit_takes_value "$word"; then
            previous=$word
            : "${command:=run}"
        elif [[ $word != -* ]]; then
            if [[ ! $command && " $_git_code_commit_commands " == *" $word "* ]]; then
                command=$word
            else
                place=$((place + 1))
            fi
        else
            [[ $word == --version ]] || : "${command:=run}"
        fi
    done
    COMPREPLY=()
    if [[ $previous ]]; then
        _git_code_commit_offer_value "$folder" "$previous" "$cur"
    elif [[ $cur == --*=* ]]; then
        _git_code_commit_offer_value "$folder" "${cur%%=*}" "${cur#*=}"
    elif [[ $cur == -* ]]; then
        _git_code_commit_offer "$(_git_code_commit_options "${command:-run}")" "$cur"
        [[ $command ]] || _git_code_commit_offer '--version' "$cur"
    else
        [[ $command || $place -gt 0 ]] || _git_code_commit_offer "$_git_code_commit_commands" "$cur"
        case $command:$place in
        rollup:*) _git_code_commit_offer_files "$folder" "$cur" ;;
        completion:0) _git_code_commit_offer 'bash zsh fish' "$cur" ;;
        esac
    fi
}

# For "git code-commit": git's completion calls this with words and cword set.
_git_code_commit() {
    local at=${__git_cmd_idx:-1} folder=. i
    while ((at < cword)) && [[ ${words[at]} != code-commit ]]; do
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
    _git_code_commit_complete "$folder" "${words[@]:at+1:cword-at}"
}

# For "git-code-commit". bash hands "--engine=x" over as three words.
_git_code_commit_alone() {
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
    _git_code_commit_complete . "${all[@]}"
}

complete -o bashdefault -o default -o nospace -F _git_code_commit_alone git-code-commit

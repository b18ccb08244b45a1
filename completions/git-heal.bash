# bash completion of git-heal(1), for "git-heal <TAB>" and "git heal <TAB>".
#
# To install it for yourself, where bash-completion looks:
#
#     folder=${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions
#     mkdir -p "$folder" && git heal completion bash >"$folder/git-heal"
#
# Without bash-completion, add this line to ~/.bashrc, below the one that reads git's own:
#
#     source <(git heal completion bash)
#
# No program runs while you type: subcommands and options are listed here (a test keeps them in step),
# workflows and jobs are read from their files.

_git_heal_commands='check workflows completion help'

# Print the options of a subcommand. Those that take a value end in "=".
_git_heal_options() {
    local common='--json --quiet --verbose --color= --help'
    case $1 in
    check)
        echo "$common --event= --workflow= --job= --changed --force --trust --secret= --format=" \
            "--events"
        ;;
    workflows) echo "$common --event= --workflow= --job=" ;;
    *) echo "$common" ;;
    esac
}

# Whether an option takes its value from the next word.
_git_heal_takes_value() {
    case $1 in
    --event | --workflow | --job | --secret | --format) ;;
    *) return 1 ;;
    esac
}

# Print the folder of the workflows of the repository that the folder $1 is in.
_git_heal_folder() {
    local folder=$1
    [[ $folder == /* ]] || folder=$PWD/$folder
    while [[ $folder == /*/* && ! -e $folder/.git ]]; do
        folder=${folder%/*}
    done
    printf '%s' "$folder/.github/workflows"
}

# Print the ids of the jobs in the workflows below the folder $1: the keys that are indented as the
# first one below "jobs:" is.
_git_heal_jobs() {
    local file line inside indent key='^( +)([A-Za-z_][A-Za-z0-9_-]*):'
    for file in "$(_git_heal_folder "$1")"/*.y*ml; do
        [[ -f $file ]] || continue
        inside= indent=
        while IFS= read -r line; do
            case $line in
            jobs:*) inside=yes ;;
            [!\ #]*) inside= ;;
            *)
                [[ $inside && $line =~ $key ]] || continue
                : "${indent:=${BASH_REMATCH[1]}}"
                [[ ${BASH_REMATCH[1]} == "$indent" ]] && printf '%s\n' "${BASH_REMATCH[2]}"
                ;;
            esac
        done <"$file"
    done
}

# Add to COMPREPLY what of $1 (words) begins with $2. "--name=" waits for its value.
_git_heal_offer() {
    local word
    for word in $1; do
        [[ $word == "$2"* ]] || continue
        case $word in
        *=) COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done
}

# Add the names of the workflow files that begin with $2, below the folder $1.
_git_heal_offer_workflows() {
    local file word
    for file in "$(_git_heal_folder "$1")"/*.y*ml; do
        [[ -f $file && ${file##*/} == "${2//\\/}"* ]] || continue
        printf -v word '%q' "${file##*/}"
        COMPREPLY+=("$word ")
    done
}

# Add the values of the option $2 that begin with $3, below the folder $1.
_git_heal_offer_value() {
    case $2 in
    --color) _git_heal_offer 'auto always never' "$3" ;;
    --event) _git_heal_offer 'push pull_request workflow_dispatch schedule release' "$3" ;;
    --workflow) _git_heal_offer_workflows "$1" "$3" ;;
    --format) _git_heal_offer 'text github sarif' "$3" ;;
    --secret) _git_heal_offer "$(compgen -e)" "$3" ;;
    --job) _git_heal_offer "$(_git_heal_jobs "$1")" "$3" ;;
    esac
}

# Complete the last of the words after "heal"; $1 is the folder that paths start from.
_git_heal_complete() {
    local folder=$1 cur command= place=0 previous= word
    shift
    cur=${!#}
    while (($# > 1)); do
        word=$1
        shift
        if [[ $previous ]]; then
            previous=
        elif _git_heal_takes_value "$word"; then
            previous=$word
        elif [[ $word != -* ]]; then
            if [[ $command ]]; then
                place=$((place + 1))
            else
                command=$word
            fi
        fi
    done
    COMPREPLY=()
    if [[ $previous ]]; then
        _git_heal_offer_value "$folder" "$previous" "$cur"
    elif [[ $cur == --*=* ]]; then
        _git_heal_offer_value "$folder" "${cur%%=*}" "${cur#*=}"
    elif [[ $cur == -* && $command ]]; then
        _git_heal_offer "$(_git_heal_options "$command")" "$cur"
    elif [[ $cur == -* ]]; then
        _git_heal_offer '--help --version' "$cur"
    elif [[ ! $command ]]; then
        _git_heal_offer "$_git_heal_commands" "$cur"
    elif [[ $command:$place == completion:0 ]]; then
        _git_heal_offer 'bash zsh fish' "$cur"
    fi
}

# For "git heal": git's completion calls this with words and cword set.
_git_heal() {
    local at=${__git_cmd_idx:-1} folder=. i
    while ((at < cword)) && [[ ${words[at]} != heal ]]; do
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
    _git_heal_complete "$folder" "${words[@]:at+1:cword-at}"
}

# For "git-heal". bash hands "--event=x" over as three words.
_git_heal_alone() {
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
    _git_heal_complete . "${all[@]}"
}

complete -o bashdefault -o default -o nospace -F _git_heal_alone git-heal

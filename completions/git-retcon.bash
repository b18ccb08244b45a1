# bash completion of git-retcon(1), for "git-retcon <TAB>" and "git retcon <TAB>".
#
# To install it for yourself, where bash-completion looks:
#
#     folder=${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions
#     mkdir -p "$folder" && git retcon completion bash >"$folder/git-retcon"
#
# Without bash-completion, add this line to ~/.bashrc, below the one that reads git's own:
#
#     source <(git retcon completion bash)
#
# git-retcon itself does not run while you type: subcommands and options are listed here (a test keeps
# them in step).

_git_retcon_commands='run status resolve undo prompt clean doctor cost completion help demo'

# Print the options of a subcommand. Those that take a value end in "=".
_git_retcon_options() {
    local common='--json --quiet --verbose --color= --help'
    local shared="$common --offline --engine= --model= --max-cost= --max-tokens= --sandbox= --yes
        --dry-run --events --show-prompt"
    case $1 in
    run)
        echo "$shared --explain --build= --test= --setup= --timeout= --leftover= --restart
            --squash-wip --no-cache --trust"
        ;;
    demo) echo "$shared" ;;
    undo) echo "$common --force" ;;
    clean) echo "$common --all --dry-run" ;;
    *) echo "$common" ;;
    esac
}

# Print the values of an option that has a short list of them.
_git_retcon_values() {
    case $1 in
    --color) echo 'auto always never' ;;
    --engine) echo 'offline claude' ;;
    --sandbox) echo 'auto require off' ;;
    --leftover) echo 'commit stop' ;;
    esac
}

# Whether an option takes its value from the next word.
_git_retcon_takes_value() {
    case $1 in
    --engine | --model | --max-cost | --max-tokens | --sandbox) ;;
    --build | --test | --setup | --timeout | --leftover) ;;
    *) return 1 ;;
    esac
}

# Add to COMPREPLY what of $1 (words) begins with $2. "--name=" waits for its value.
_git_retcon_offer() {
    local word
    for word in $1; do
        [[ $word == "$2"* ]] || continue
        case $word in
        *=) COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done
}

# Add the spec files that begin with $2 (as it was typed), below the folder $1; where there is
# none, other TOML files and the folders to look in.
_git_retcon_offer_specs() {
    local folder=${1:-.} typed=$2 file found=
    case $typed in [\"\']*) return ;; esac # an open quote: leave it to bash's own file names
    typed=${typed//\\/}
    case $typed in \~/*) typed=$HOME/${typed#\~/} ;; esac
    case $typed in /*) folder= ;; *) folder=$folder/ ;; esac
    for file in "$folder$typed"*.toml "$folder${typed%.toml}".toml; do
        [[ -f $file ]] && grep -q '^[[:space:]]*\[\[commit\]\]' -- "$file" 2>/dev/null || continue
        found=yes
        _git_retcon_offer_path "$folder" "$file" ' '
    done
    [[ $found ]] && return
    for file in "$folder$typed"*; do
        if [[ -d $file ]]; then
            _git_retcon_offer_path "$folder" "$file" /
        elif [[ $file == *.toml && -f $file ]]; then
            _git_retcon_offer_path "$folder" "$file" ' '
        fi
    done
}

_git_retcon_offer_path() {
    local word
    printf -v word '%q' "${2#"$1"}"
    case " ${COMPREPLY[*]} " in *" $word$3"*) return ;; esac
    COMPREPLY+=("$word$3")
}

# Complete the last of the words after "retcon"; $1 is the folder that paths start from.
_git_retcon_complete() {
    local folder=$1 cur command= place=0 previous= word
    shift
    cur=${!#}
    while (($# > 1)); do
        word=$1
        shift
        if [[ $previous ]]; then
            previous=
        elif _git_retcon_takes_value "$word"; then
            previous=$word
            : "${command:=run}"
        elif [[ $word != -* ]]; then
            if [[ ! $command && " $_git_retcon_commands " == *" $word "* ]]; then
                command=$word
            else
                : "${command:=run}"
                place=$((place + 1))
            fi
        else
            [[ $word == --version ]] || : "${command:=run}"
        fi
    done
    COMPREPLY=()
    if [[ $previous ]]; then
        _git_retcon_offer "$(_git_retcon_values "$previous")" "$cur"
    elif [[ $cur == --*=* ]]; then
        _git_retcon_offer "$(_git_retcon_values "${cur%%=*}")" "${cur#*=}"
    elif [[ $cur == -* ]]; then
        _git_retcon_offer "$(_git_retcon_options "${command:-run}")" "$cur"
        [[ $command ]] || _git_retcon_offer '--version' "$cur"
    else
        [[ $command ]] || _git_retcon_offer "$_git_retcon_commands" "$cur"
        case ${command:-run}:$place in
        run:0 | status:0 | resolve:0 | undo:0) _git_retcon_offer_specs "$folder" "$cur" ;;
        completion:0) _git_retcon_offer 'bash zsh fish' "$cur" ;;
        esac
    fi
}

# For "git retcon": git's completion calls this with words and cword set.
_git_retcon() {
    local at=${__git_cmd_idx:-1} folder=. i
    while ((at < cword)) && [[ ${words[at]} != retcon ]]; do
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
    _git_retcon_complete "$folder" "${words[@]:at+1:cword-at}"
}

# For "git-retcon". bash hands "--engine=x" over as three words.
_git_retcon_alone() {
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
    _git_retcon_complete . "${all[@]}"
}

complete -o bashdefault -o default -o nospace -F _git_retcon_alone git-retcon

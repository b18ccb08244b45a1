# bash completion of @PROGRAM@(1), for "@PROGRAM@ <TAB>" and "git @VERB@ <TAB>".
#
# To install it for yourself, where bash-completion looks:
#
#     folder=${XDG_DATA_HOME:-~/.local/share}/bash-completion/completions
#     mkdir -p "$folder" && git @VERB@ completion bash >"$folder/@PROGRAM@"
#
# Without bash-completion, add this line to ~/.bashrc, below the one that reads git's own:
#
#     source <(git @VERB@ completion bash)
#
# @PROGRAM@ itself does not run while you type: its subcommands and options are listed here.

# Set what a subcommand takes: "options", which end in "=" before a value, and "valued", those that
# take their value from the next word too.
_@ID@_look_up() {
    options= valued=
    case $1 in
@OPTIONS@
    esac
}

# Offer the values of an option, or of an argument by its number, as "subcommand:place".
_@ID@_offer_values() {
    case $1 in
@VALUES@
    esac
}

# Add to COMPREPLY what of $1 (words) begins with what is typed. "--name=" waits for its value.
_@ID@_offer() {
    local word
    for word in $1; do
        [[ $word == "$cur"* ]] || continue
        case $word in
        *=) COMPREPLY+=("$word") ;;
        *) COMPREPLY+=("$word ") ;;
        esac
    done
}

@KINDS@
# Complete the last of the words after "@VERB@"; $1 is the folder that paths start from.
_@ID@_complete() {
    local folder=$1 cur command= place=0 pending= ended= word options valued
    local commands='@VERBS@' default='@DEFAULT@'
    shift
    cur=${!#}
    while (($# > 1)); do
        word=$1
        shift
        if [[ $pending ]]; then
            pending=
        elif [[ $word == -- && ! $ended ]]; then
            ended=yes
            : "${command:=$default}"
        elif [[ $word == -* && ! $ended ]]; then
            [[ $word == --version ]] || : "${command:=$default}"
            _@ID@_look_up "$command"
            [[ " $valued " == *" $word "* ]] && pending=$word
        elif [[ ! $command && " $commands " == *" $word "* ]]; then
            command=$word
        else
            : "${command:=${default:-$word}}"
            place=$((place + 1))
        fi
    done
    COMPREPLY=()
    if [[ $pending ]]; then
        _@ID@_offer_values "${command:-$default}:$pending"
    elif [[ $cur == --*=* && ! $ended ]]; then
        word=${cur%%=*}
        cur=${cur#*=}
        _@ID@_offer_values "${command:-$default}:$word"
    elif [[ $cur == -* && ! $ended ]]; then
        _@ID@_look_up "${command:-$default}"
        _@ID@_offer "$options"
        [[ $command ]] || _@ID@_offer --version
    else
        [[ $command ]] || _@ID@_offer "$commands"
        _@ID@_offer_values "${command:-$default}:$place"
    fi
}

# For "git @VERB@": git's completion calls this with words and cword set.
_@ID@() {
    local at=${__git_cmd_idx:-1} folder=. i
    while ((at < cword)) && [[ ${words[at]} != @VERB@ ]]; do
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
    _@ID@_complete "$folder" "${words[@]:at+1:cword-at}"
}

# For "@PROGRAM@". bash hands "--color=never" over as three words.
_@ID@_alone() {
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
    _@ID@_complete . "${all[@]}"
}

complete -o bashdefault -o default -o nospace -F _@ID@_alone @PROGRAM@

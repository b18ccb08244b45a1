# bash completion for git-retcon, and for `git retcon` through git's own completion.
# The command itself says what may follow.

# $1: the index of the word in work; $2: what ends a complete word; then the words.
__git_retcon_complete()
{
    local at=$1 ending=$2 line IFS=$'\n'
    shift 2
    COMPREPLY=()
    while read -r line; do
        case $line in
            plain,*) COMPREPLY+=("${line#plain,}$ending") ;;
            file,*) compopt -o default ;;
            dir,*) compopt -o dirnames ;;
        esac
    done < <(COMP_WORDS="$*" COMP_CWORD=$at _GIT_RETCON_COMPLETE=bash_complete \
        git-retcon 2>/dev/null)
}

# git's completion calls this; it adds no space after a word, as some of its own need none.
_git_retcon()
{
    __git_retcon_complete $((cword - __git_cmd_idx)) ' ' git-retcon "${words[@]:__git_cmd_idx+1}"
}

__git_retcon_alone()
{
    __git_retcon_complete "$COMP_CWORD" '' "${COMP_WORDS[@]}"
}

# bash before 4.4 has no "nosort".
complete -o nosort -F __git_retcon_alone git-retcon 2>/dev/null ||
    complete -F __git_retcon_alone git-retcon

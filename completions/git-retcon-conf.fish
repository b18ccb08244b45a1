# fish 3.6 and older complete `git retcon` from nowhere but here: the completion of git-retcon is
# read only when that is the command, so it is read when first asked for.

set -g __git_retcon_completion (status dirname)/../vendor_completions.d/git-retcon.fish

function __git_retcon_complete_git
    functions -q __git_retcon_complete; or source $__git_retcon_completion
    __git_retcon_complete
end

complete -c git -n '__fish_git_using_command retcon' -f -a '(__git_retcon_complete_git)'

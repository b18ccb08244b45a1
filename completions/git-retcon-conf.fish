# Read by fish at its start, from vendor_conf.d: completes "git retcon <TAB>" in fish before 3.7,
# whose completion of git hands nothing over to that of git-retcon.

function __git_retcon_hand_over
    # asking once makes fish load git-retcon.fish
    functions -q __git_retcon_from_git; or complete -C 'git-retcon ' >/dev/null
    functions -q __git_retcon_from_git; and __git_retcon_from_git
end

complete -c git -f -n '__fish_git_using_command retcon' -a '(__git_retcon_hand_over)'

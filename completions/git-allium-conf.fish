# Read by fish at its start, from vendor_conf.d: completes "git allium <TAB>" in fish before 3.7,
# whose completion of git hands nothing over to that of git-allium.

function __git_allium_hand_over
    # asking once makes fish load git-allium.fish
    functions -q __git_allium_from_git; or complete -C 'git-allium ' >/dev/null
    functions -q __git_allium_from_git; and __git_allium_from_git
end

complete -c git -f -n '__fish_git_using_command allium' -a '(__git_allium_hand_over)'

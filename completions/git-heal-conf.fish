# Read by fish at its start, from vendor_conf.d: completes "git heal <TAB>" in fish before
# 3.7, whose completion of git hands nothing over to that of git-heal.

function __git_heal_hand_over
    # asking once makes fish load git-heal.fish
    functions -q __git_heal_from_git; or complete -C 'git-heal ' >/dev/null
    functions -q __git_heal_from_git; and __git_heal_from_git
end

complete -c git -f -n '__fish_git_using_command heal' -a '(__git_heal_hand_over)'

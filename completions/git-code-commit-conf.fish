# Read by fish at its start, from vendor_conf.d: completes "git code-commit <TAB>" in fish before
# 3.7, whose completion of git hands nothing over to that of git-code-commit.

function __git_code_commit_hand_over
    # asking once makes fish load git-code-commit.fish
    functions -q __git_code_commit_from_git; or complete -C 'git-code-commit ' >/dev/null
    functions -q __git_code_commit_from_git; and __git_code_commit_from_git
end

complete -c git -f -n '__fish_git_using_command code-commit' -a '(__git_code_commit_hand_over)'

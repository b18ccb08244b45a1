# fish completion for git-retcon, and for `git retcon`.
# The command itself says what may follow.

function __git_retcon_complete
    set -l words (commandline -cop)
    set -l current (commandline -ct)
    set -l at 1
    if test "$words[1]" = git
        set at (contains -i -- retcon $words); or return
    end
    set -e words[1..$at]
    set -l answer (env _GIT_RETCON_COMPLETE=fish_complete COMP_CWORD="$current" \
        COMP_WORDS=(string join ' ' -- git-retcon (string escape -- $words) "$current") \
        git-retcon 2>/dev/null)
    for line in $answer
        set -l parts (string split -m 1 , -- $line)
        switch $parts[1]
            case plain
                echo $parts[2]
            case file
                __fish_complete_path "$current"
            case dir
                __fish_complete_directories "$current"
        end
    end
end

complete -c git-retcon -f -a '(__git_retcon_complete)'

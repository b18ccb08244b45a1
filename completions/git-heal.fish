# fish completion of git-heal(1), for "git-heal <TAB>" and "git heal <TAB>".
#
# To install it for yourself, for every version of fish:
#
#     git heal completion fish >~/.config/fish/conf.d/git-heal.fish
#
# No program but "test" and "string" runs while you type: subcommands and options are listed here (a
# test keeps them in step), workflows and jobs are read from their files.

# The workflow files of the repository, from where git was told to be.
function __git_heal_files
    set -l folder $PWD
    if set -q __git_heal_folder
        set folder $__git_heal_folder
        string match -q '/*' -- $folder; or set folder $PWD/$folder
    end
    while string match -q '/*/*' -- $folder; and not test -e $folder/.git
        set folder (string replace -r '/[^/]*$' '' -- $folder)
    end
    for file in $folder/.github/workflows/*.yml $folder/.github/workflows/*.yaml
        test -f $file; and echo $file
    end
end

function __git_heal_workflows
    string replace -r '.*/' '' -- (__git_heal_files)
end

# The ids of jobs: the keys that are indented as the first one below "jobs:" is.
function __git_heal_jobs
    for file in (__git_heal_files)
        set -l inside
        set -l indent
        while read -l line
            if string match -qr '^jobs:' -- $line
                set inside yes
            else if string match -qr '^[^ #]' -- $line
                set inside
            else if set -q inside[1]
                set -l key (string match -r '^( +)([A-Za-z_][A-Za-z0-9_-]*):' -- $line)
                set -q key[1]; or continue
                set -q indent[1]; or set indent "$key[2]"
                test "$key[2]" = "$indent"; and echo $key[3]
            end
        end <$file
    end
end

# The words typed so far, without options and their values.
function __git_heal_words
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip
            continue
        end
        switch $word
            case --event --workflow --job --secret --format
                set skip yes
            case '-*'
            case '*'
                echo $word
        end
    end
end

# Whether nothing is before the cursor, so that a subcommand may follow.
function __git_heal_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether there is a command, or it is this one.
function __git_heal_is
    set -l words (__git_heal_words)
    set -q words[1]; or return
    test (count $argv) -eq 0; or test $words[1] = $argv[1]
end

# Whether the command is this one and its first argument is still to come.
function __git_heal_wants
    set -l words (__git_heal_words)
    test "$words" = $argv[1]
end

# "git heal", for git's own completion: hand over what follows "heal".
function __git_heal_from_git
    set -l words (commandline -opc)[2..]
    set -l folder .
    while set -q words[1]; and test $words[1] != heal
        if test $words[1] = -C; and set -q words[2]
            switch $words[2]
                case '/*' '~*'
                    set folder (string replace -r '^~(?=/|$)' -- $HOME $words[2])
                case '*'
                    set folder $folder/$words[2]
            end
            set -e words[1]
        end
        set -e words[1]
    end
    set -g __git_heal_folder $folder
    complete -C "git-heal "(string join ' ' -- (string escape -- $words[2..]) '')(commandline -ct)
    set -e __git_heal_folder
end

complete -c git -f -n '__fish_git_using_command heal' -a '(__git_heal_from_git)'

complete -c git-heal -f
complete -c git-heal -n __git_heal_is_first -a check -d 'run here what CI would run for this branch'
complete -c git-heal -n __git_heal_is_first -a workflows -d 'list what CI would start, and what would run here'
complete -c git-heal -n __git_heal_is_first -a completion -d 'print the completion script of a shell'
complete -c git-heal -n __git_heal_is_first -a help -d 'show the manual page'
complete -c git-heal -n __git_heal_is_first -l version -d 'print the version'

complete -c git-heal -n '__git_heal_wants completion' -a 'bash zsh fish'

complete -c git-heal -s h -l help -d 'show the usage'

complete -c git-heal -n __git_heal_is -l json -d 'print one JSON object on standard output'
complete -c git-heal -n __git_heal_is -s q -l quiet -d 'print only errors and results'
complete -c git-heal -n __git_heal_is -s v -l verbose -d 'print more'
# its value only joined to it: alone it means "always"
complete -c git-heal -n __git_heal_is -l color -d 'colour always'
complete -c git-heal -n "string match -q -- '--c*' (commandline -ct)" -a '--color=auto --color=always --color=never' -d 'colour'

complete -c git-heal -n '__git_heal_is check' -xl event -a 'push pull_request workflow_dispatch schedule release' -d 'what this event would start'
complete -c git-heal -n '__git_heal_is check' -xl workflow -a '(__git_heal_workflows)' -d 'only this workflow'
complete -c git-heal -n '__git_heal_is check' -xl job -a '(__git_heal_jobs)' -d 'only this job'
complete -c git-heal -n '__git_heal_is check' -l changed -d 'list errors only in files that the branch changes'
complete -c git-heal -n '__git_heal_is check' -l force -d 'run again what is known of this state'
complete -c git-heal -n '__git_heal_is check' -l trust -d 'trust the commands of the workflows from now on'
complete -c git-heal -n '__git_heal_is check' -xl secret -a '(set -nx)' -d 'give workflows this variable'
complete -c git-heal -n '__git_heal_is check' -xl format -a 'text github sarif' -d 'print errors for people, or for a code host'
complete -c git-heal -n '__git_heal_is check' -l events -d 'print one JSON object a line, as it happens'

complete -c git-heal -n '__git_heal_is workflows' -xl event -a 'push pull_request workflow_dispatch schedule release' -d 'what this event would start'
complete -c git-heal -n '__git_heal_is workflows' -xl workflow -a '(__git_heal_workflows)' -d 'only this workflow'
complete -c git-heal -n '__git_heal_is workflows' -xl job -a '(__git_heal_jobs)' -d 'only this job'

# fish completion of git-code-commit(1), for "git-code-commit <TAB>" and "git code-commit <TAB>".
#
# To install it for yourself, for every version of fish:
#
#     git code-commit completion fish >~/.config/fish/conf.d/git-code-commit.fish
#
# No program but "test" and "string" runs while you type: subcommands and options are listed here (a
# test keeps them in step).

# Files and folders that begin with what is typed, from where git was told to be.
function __git_code_commit_files
    set -l typed (string unescape -- (string replace -r '^--[a-z-]+=' '' -- (commandline -ct)))
    set -l folder ./
    set -q __git_code_commit_folder; and set folder $__git_code_commit_folder/
    switch "$typed"
        case '/*'
            set folder ''
        case '~/*'
            set typed $HOME/(string sub -s 3 -- $typed)
            set folder ''
    end
    for file in $folder$typed*
        set -l shown (string sub -s (math (string length -- $folder) + 1) -- $file)
        if test -d $file
            printf '%s/\t%s\n' $shown folder
        else
            printf '%s\t%s\n' $shown file
        end
    end
end

# The words typed so far, without options and their values.
function __git_code_commit_words
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip
            continue
        end
        switch $word
            case --engine --model --max-cost --max-tokens --sandbox --query --file -F --response --build --repairs --timeout --message -m
                set skip yes
                echo ''
            case '-*'
                echo ''
            case '*'
                echo $word
        end
    end
end

# Whether nothing is before the cursor, so that a subcommand may come.
function __git_code_commit_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command is one of these; what is no subcommand is a run.
function __git_code_commit_is
    set -l command run
    set -l words (__git_code_commit_words)
    contains -- "$words[1]" run undo rollup completion help
    and set command $words[1]
    contains -- $command $argv
end

# Whether the command is one of these and its first argument is still to come.
function __git_code_commit_wants
    __git_code_commit_is $argv; or return
    set -l words (__git_code_commit_words)
    contains -- "$words[1]" $argv; and set -e words[1]
    test -z (string join '' -- $words)
end

# "git code-commit", for git's own completion: hand over what follows "code-commit".
function __git_code_commit_from_git
    set -l words (commandline -opc)[2..]
    set -l folder .
    while set -q words[1]; and test $words[1] != code-commit
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
    set -g __git_code_commit_folder $folder
    complete -C "git-code-commit "(string join ' ' -- (string escape -- $words[2..]) '')(commandline -ct)
    set -e __git_code_commit_folder
end

complete -c git -f -n '__fish_git_using_command code-commit' -a '(__git_code_commit_from_git)'

complete -c git-code-commit -f
complete -c git-code-commit -n __git_code_commit_is_first -a run -d 'ask, apply the answer, build, and repair'
complete -c git-code-commit -n __git_code_commit_is_first -a undo -d 'put everything back to before the last run'
complete -c git-code-commit -n __git_code_commit_is_first -a rollup -d 'write the codebase for the prompt'
complete -c git-code-commit -n __git_code_commit_is_first -a completion -d 'print the completion script of a shell'
complete -c git-code-commit -n __git_code_commit_is_first -a help -d 'show the manual page'
complete -c git-code-commit -n __git_code_commit_is_first -l version -d 'print the version'

complete -c git-code-commit -n '__git_code_commit_wants completion' -a 'bash zsh fish'
complete -c git-code-commit -n '__git_code_commit_is rollup' -a '(__git_code_commit_files)'

complete -c git-code-commit -s h -l help -d 'show the usage'

complete -c git-code-commit -l json -d 'print one JSON object on standard output'
complete -c git-code-commit -s q -l quiet -d 'print only errors and results'
complete -c git-code-commit -s v -l verbose -d 'print more'
# its value only joined to it: alone it means "always"
complete -c git-code-commit -l color -d 'colour always'
complete -c git-code-commit -n "string match -q -- '--c*' (commandline -ct)" -a '--color=auto --color=always --color=never' -d 'colour'
complete -c git-code-commit -n '__git_code_commit_is run rollup' -xl max-tokens -d 'stop before using more'

set -l run '__git_code_commit_is run'
complete -c git-code-commit -n $run -l offline -d 'use no model, even where a key is set'
complete -c git-code-commit -n $run -xl engine -a 'offline claude' -d 'choose the engine'
complete -c git-code-commit -n $run -xl model -d 'the model to ask'
complete -c git-code-commit -n $run -xl max-cost -d 'stop before spending more (US dollars)'
complete -c git-code-commit -n $run -xl sandbox -a 'auto require off' -d 'confine the build'
complete -c git-code-commit -n $run -l yes -d 'answer yes to every question'
complete -c git-code-commit -n $run -s n -l dry-run -d 'show the difference, change nothing'
complete -c git-code-commit -n $run -l events -d 'print one JSON object a line, as it happens'
complete -c git-code-commit -n $run -l show-prompt -d 'print every prompt before it is sent'
complete -c git-code-commit -n $run -xl query -d 'the question itself'
complete -c git-code-commit -n $run -s F -xl file -a '(__git_code_commit_files)' -d 'read the question from a file'
complete -c git-code-commit -n $run -xl response -a '(__git_code_commit_files)' -d 'apply the answer in a file'
complete -c git-code-commit -n $run -xl build -d 'command that builds'
complete -c git-code-commit -n $run -xl repairs -d 'how many times to repair'
complete -c git-code-commit -n $run -xl timeout -d 'limit of a build (seconds)'
complete -c git-code-commit -n $run -l force -d 'start over uncommitted changes'
complete -c git-code-commit -n $run -l commit -d 'commit when the build passes'
complete -c git-code-commit -n $run -s m -xl message -d 'message of the commit'
complete -c git-code-commit -n $run -l abort -d 'end the open session, the files stay'

complete -c git-code-commit -n '__git_code_commit_is undo' -l force -d 'also where somebody changed the files since'

# fish completion of git-retcon(1), for "git-retcon <TAB>" and "git retcon <TAB>".
#
# To install it for yourself, for every version of fish:
#
#     mkdir -p ~/.config/fish/conf.d
#     git retcon completion fish >~/.config/fish/conf.d/git-retcon.fish
#
# git-retcon itself does not run while you type: subcommands and options are listed here (a test keeps
# them in step).

# Spec files; where there is none, other TOML files and the folders to look in.
function __git_retcon_specs
    set -l typed (string unescape -- (commandline -ct))
    set -l folder ./
    set -q __git_retcon_folder; and set folder $__git_retcon_folder/
    switch "$typed"
        case '/*'
            set folder ''
        case '~/*'
            set typed $HOME/(string sub -s 3 -- $typed)
            set folder ''
    end
    set -l found
    for file in $folder$typed*.toml
        if test -f $file; and string match -qr '^\s*\[\[commit\]\]' <$file
            set found yes
            printf '%s\t%s\n' (string sub -s (math (string length -- $folder) + 1) -- $file) 'history specification'
        end
    end
    set -q found[1]; and return
    for file in $folder$typed*
        set -l shown (string sub -s (math (string length -- $folder) + 1) -- $file)
        if test -d $file
            printf '%s/\t%s\n' $shown folder
        else if string match -q '*.toml' -- $file
            printf '%s\t%s\n' $shown 'TOML file'
        end
    end
end

# The words typed so far, without options and their values.
function __git_retcon_words
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip
            continue
        end
        switch $word
            case --engine --model --max-cost --max-tokens --sandbox --build --test --setup --timeout --leftover
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
function __git_retcon_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command is one of these; what is no subcommand is a run.
function __git_retcon_is
    set -l command run
    set -l words (__git_retcon_words)
    contains -- "$words[1]" run status resolve undo prompt clean doctor cost completion help demo
    and set command $words[1]
    contains -- $command $argv
end

# Whether the command is one of these and its first argument is still to come.
function __git_retcon_wants
    __git_retcon_is $argv; or return
    set -l words (__git_retcon_words)
    contains -- "$words[1]" $argv; and set -e words[1]
    test -z (string join '' -- $words)
end

# "git retcon", for git's own completion: hand over what follows "retcon".
function __git_retcon_from_git
    set -l words (commandline -opc)[2..]
    set -l folder .
    while set -q words[1]; and test $words[1] != retcon
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
    set -g __git_retcon_folder $folder
    complete -C "git-retcon "(string join ' ' -- (string escape -- $words[2..]) '')(commandline -ct)
    set -e __git_retcon_folder
end

complete -c git -f -n '__fish_git_using_command retcon' -a '(__git_retcon_from_git)'

complete -c git-retcon -f
complete -c git-retcon -n __git_retcon_is_first -a run -d 'rebuild the branch a spec describes, or go on with it'
complete -c git-retcon -n __git_retcon_is_first -a status -d 'say how far a spec has come'
complete -c git-retcon -n __git_retcon_is_first -a resolve -d 'record what you did about the stuck commit'
complete -c git-retcon -n __git_retcon_is_first -a undo -d 'take back what the last run did'
complete -c git-retcon -n __git_retcon_is_first -a prompt -d 'print text that explains to any assistant how to write a spec'
complete -c git-retcon -n __git_retcon_is_first -a clean -d 'remove the worktrees kept for builds'
complete -c git-retcon -n __git_retcon_is_first -a doctor -d 'check git, the sandbox, the key, the man page and completion'
complete -c git-retcon -n __git_retcon_is_first -a cost -d 'show what models have cost'
complete -c git-retcon -n __git_retcon_is_first -a completion -d 'print the completion script of a shell'
complete -c git-retcon -n __git_retcon_is_first -a help -d 'show the manual page'
complete -c git-retcon -n __git_retcon_is_first -a demo -d 'build a small messy repository and rebuild it'
complete -c git-retcon -n __git_retcon_is_first -l version -d 'print the version'

complete -c git-retcon -n '__git_retcon_wants run status resolve undo' -ka '(__git_retcon_specs)'
complete -c git-retcon -n '__git_retcon_wants completion' -a 'bash zsh fish'
complete -c git-retcon -n '__git_retcon_wants demo' -a '(__fish_complete_directories)'

complete -c git-retcon -s h -l help -d 'show the usage'

complete -c git-retcon -l json -d 'print one JSON object on standard output'
complete -c git-retcon -s q -l quiet -d 'print only errors and results'
complete -c git-retcon -s v -l verbose -d 'print more'
# its value only joined to it: alone it means "always"
complete -c git-retcon -l color -d 'colour always'
complete -c git-retcon -n "string match -q -- '--c*' (commandline -ct)" -a '--color=auto --color=always --color=never' -d 'colour'

set -l shared '__git_retcon_is run demo'
complete -c git-retcon -n $shared -l offline -d 'use no model, even where a key is set'
complete -c git-retcon -n $shared -xl engine -a 'offline claude' -d 'choose the engine'
complete -c git-retcon -n $shared -xl model -d 'the model to ask'
complete -c git-retcon -n $shared -xl max-cost -d 'stop before spending more (US dollars)'
complete -c git-retcon -n $shared -xl max-tokens -d 'stop before using more'
complete -c git-retcon -n $shared -xl sandbox -a 'auto require off' -d 'confine what runs after a model wrote'
complete -c git-retcon -n $shared -l yes -d 'answer yes to every question'
complete -c git-retcon -n $shared -s n -l dry-run -d 'print the plan, change nothing'
complete -c git-retcon -n $shared -l events -d 'print one JSON object a line, as it happens'
complete -c git-retcon -n $shared -l show-prompt -d 'print every prompt before it is sent'

set -l run '__git_retcon_is run'
complete -c git-retcon -n $run -l explain -d 'print why each hunk goes where it goes'
complete -c git-retcon -n $run -xl build -d 'command that builds a commit'
complete -c git-retcon -n $run -xl test -d 'command that tests a commit'
complete -c git-retcon -n $run -xl setup -d 'command that prepares the worktree'
complete -c git-retcon -n $run -xl timeout -d 'limit of each command (seconds)'
complete -c git-retcon -n $run -xl leftover -a 'commit stop' -d 'what becomes of what no commit takes'
complete -c git-retcon -n $run -l restart -d 'forget the histories and begin at the base'
complete -c git-retcon -n $run -l squash-wip -d 'fold WIP commits into their logical commit'
complete -c git-retcon -n $run -l no-cache -d 'run every command, also what passed before'
complete -c git-retcon -n $run -l trust -d 'run the commands of a tracked spec, now and later'

complete -c git-retcon -n '__git_retcon_is undo' -l force -d 'also where it takes a commit of your own back'

complete -c git-retcon -n '__git_retcon_is clean' -l all -d 'those of every repository'
complete -c git-retcon -n '__git_retcon_is clean' -s n -l dry-run -d 'list them, remove nothing'

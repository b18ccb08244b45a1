# fish completion of git-allium(1), for "git-allium <TAB>" and "git allium <TAB>".
#
# To install it for yourself, for every version of fish:
#
#     git allium completion fish >~/.config/fish/conf.d/git-allium.fish
#
# git-allium itself does not run while you type: subcommands and options are listed here (a test keeps
# them in step). Only git is asked, for the names of branches and tags.

# Specifications and folders that begin with what is typed, from where git was told to be.
function __git_allium_files
    set -l typed (string unescape -- (commandline -ct))
    set -l folder ./
    set -q __git_allium_folder; and set folder $__git_allium_folder/
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
        else if string match -q '*.allium' -- $file
            printf '%s\t%s\n' $shown specification
        end
    end
end

# Branches and tags of the repository where git was told to be.
function __git_allium_revisions
    set -l folder .
    set -q __git_allium_folder; and set folder $__git_allium_folder
    echo HEAD
    git -C $folder for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end

# The same; behind "REV:" the modules of the specification.
function __git_allium_modules
    set -l typed (commandline -ct)
    if not string match -q '*:*' -- $typed
        __git_allium_revisions
        return
    end
    set -l folder .
    set -q __git_allium_folder; and set folder $__git_allium_folder
    set -l branch (git -C $folder config allium.branch)
    set -q branch[1]; or set branch allium/evolution
    set -l revision (string split -m 1 -f 1 : -- $typed)
    for name in (git -C $folder ls-tree -r --name-only $branch:spec 2>/dev/null)
        echo $revision:(string replace -r '\.allium$' '' -- $name)
    end
end

# The words typed so far, without options and their values.
function __git_allium_words
    set -l skip
    for word in (commandline -opc)[2..]
        if set -q skip[1]
            set -e skip
            continue
        end
        switch $word
            case --rev --format --from --last --engine --model --max-cost --max-tokens --sandbox -n \
                    --window-size --process-depth --max-diff-tokens --max-concurrency
                set skip yes
            case '-*'
            case '*'
                echo $word
        end
    end
end

# Whether nothing is before the cursor, so that a subcommand may follow.
function __git_allium_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command is one of these.
function __git_allium_is
    set -l words (__git_allium_words)
    contains -- "$words[1]" $argv
end

# Whether the command is one of these and its first argument is still to come.
function __git_allium_wants
    __git_allium_is $argv; and test (count (__git_allium_words)) -eq 1
end

# "git allium", for git's own completion: hand over what follows "allium".
function __git_allium_from_git
    set -l words (commandline -opc)[2..]
    set -l folder .
    while set -q words[1]; and test $words[1] != allium
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
    set -g __git_allium_folder $folder
    complete -C "git-allium "(string join ' ' -- (string escape -- $words[2..]) '')(commandline -ct)
    set -e __git_allium_folder
end

complete -c git -f -n '__fish_git_using_command allium' -a '(__git_allium_from_git)'

complete -c git-allium -f
complete -c git-allium -n __git_allium_is_first -a evolve -d 'write the specification of a history'
complete -c git-allium -n __git_allium_is_first -a status -d 'say what the spec branch describes'
complete -c git-allium -n __git_allium_is_first -a show -d 'print the specification of a commit'
complete -c git-allium -n __git_allium_is_first -a log -d 'list the commits that changed the specification'
complete -c git-allium -n __git_allium_is_first -a check -d 'say what is wrong with specifications'
complete -c git-allium -n __git_allium_is_first -a format -d 'lay specifications out'
complete -c git-allium -n __git_allium_is_first -a completion -d 'print the completion script of a shell'
complete -c git-allium -n __git_allium_is_first -a help -d 'show the manual page'
complete -c git-allium -n __git_allium_is_first -l version -d 'print the version'

complete -c git-allium -n '__git_allium_wants completion' -a 'bash zsh fish'
complete -c git-allium -n '__git_allium_is check format' -a '(__git_allium_files)'
complete -c git-allium -n '__git_allium_wants show' -a '(__git_allium_modules)'
complete -c git-allium -n '__git_allium_wants evolve log' -a '(__git_allium_revisions)'

complete -c git-allium -s h -l help -d 'show the usage'

set -l any 'not __git_allium_is_first'
complete -c git-allium -n $any -l json -d 'print one JSON object on standard output'
complete -c git-allium -n $any -s q -l quiet -d 'print only errors and results'
complete -c git-allium -n $any -s v -l verbose -d 'print more'
# its value only joined to it: alone it means "always"
complete -c git-allium -n $any -l color -d 'colour always'
complete -c git-allium -n "string match -q -- '--c*' (commandline -ct)" -a '--color=auto --color=always --color=never' -d 'colour'

complete -c git-allium -n '__git_allium_is check' -xl rev -a '(__git_allium_revisions)' -d 'check those of a commit'
complete -c git-allium -n '__git_allium_is check' -xl format -a 'text github sarif' -d 'how to print what is wrong'
complete -c git-allium -n '__git_allium_is format' -l check -d 'change nothing, fail where something would change'
complete -c git-allium -n '__git_allium_is format' -s n -l dry-run -d 'name what would change'

complete -c git-allium -n '__git_allium_is evolve' -l all -d 'describe every branch and tag as well'
complete -c git-allium -n '__git_allium_is evolve' -xl from -a '(__git_allium_revisions)' -d 'begin at a commit'
complete -c git-allium -n '__git_allium_is evolve' -xl last -d 'begin N commits before the end'
complete -c git-allium -n '__git_allium_is evolve' -l estimate -d 'say what it would cost'
complete -c git-allium -n '__git_allium_is evolve' -xl window-size -d 'commits that a model sees in a step'
complete -c git-allium -n '__git_allium_is evolve' -xl process-depth -d 'of how many of them it sees the changes'
complete -c git-allium -n '__git_allium_is evolve' -xl max-diff-tokens -d 'show a larger change in parts'
complete -c git-allium -n '__git_allium_is evolve' -xl max-concurrency -d 'ask this many questions at a time'
complete -c git-allium -n '__git_allium_is evolve' -l offline -d 'use no model'
complete -c git-allium -n '__git_allium_is evolve' -xl engine -a 'offline claude' -d 'choose the engine'
complete -c git-allium -n '__git_allium_is evolve' -xl model -d 'the model to ask'
complete -c git-allium -n '__git_allium_is evolve' -xl max-cost -d 'stop before spending more'
complete -c git-allium -n '__git_allium_is evolve' -xl max-tokens -d 'stop before using more'
complete -c git-allium -n '__git_allium_is evolve' -xl sandbox -a 'auto require off' -d 'confine what runs after a model wrote'
complete -c git-allium -n '__git_allium_is evolve' -l yes -d 'answer yes to every question'
complete -c git-allium -n '__git_allium_is evolve' -s n -l dry-run -d 'say what there is to describe'
complete -c git-allium -n '__git_allium_is evolve' -l events -d 'print one JSON object a line'
complete -c git-allium -n '__git_allium_is evolve' -l show-prompt -d 'print every prompt before it is sent'
complete -c git-allium -n '__git_allium_is log' -xs n -d 'print at most'

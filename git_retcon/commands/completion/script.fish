# fish completion of @PROGRAM@(1), for "@PROGRAM@ <TAB>" and "git @VERB@ <TAB>".
#
# To install it for yourself, for every version of fish:
#
#     mkdir -p ~/.config/fish/conf.d
#     git @VERB@ completion fish >~/.config/fish/conf.d/@PROGRAM@.fish
#
# @PROGRAM@ itself does not run while you type: its subcommands and options are listed here.

# Whether an option of a subcommand takes its value from the next word.
function __@ID@_takes_value
    switch "$argv[1]"
@VALUED@
        case '*'
            false
    end
end

# The subcommand, "" before there is one, and the arguments that are typed behind it.
function __@ID@_words
    set -l command '' # until a word or an option says which
    set -l pending
    set -l ended
    set -l arguments
    for word in (commandline -opc)[2..]
        if set -q pending[1]
            set -e pending
        else if test "$word" = --; and not set -q ended[1]
            set ended yes
        else if string match -q -- '-*' $word; and not set -q ended[1]
            test -n "$command"; or set command '@DEFAULT@'
            __@ID@_takes_value "$command" $word; and set pending yes
        else if test -z "$command"; and contains -- $word @VERBS@
            set command $word
        else
            test -n "$command"; or set command '@DEFAULT@'
            test -n "$command"; or set command $word
            set -a arguments $word
        end
    end
    printf '%s\n' "$command" $arguments
end

# Whether nothing is before the cursor, so that a subcommand may follow.
function __@ID@_is_first
    test (count (commandline -opc)) -eq 1
end

# Whether the subcommand is one of these; without any, whether there is one.
function __@ID@_is
    set -l command (__@ID@_words)[1]
    test -n "$command"; or set command '@DEFAULT@'
    test -n "$command"; or return
    test (count $argv) -eq 0; or contains -- $command $argv
end

# Whether the argument of this number is typed in this subcommand; "any" is each.
function __@ID@_is_at
    __@ID@_is $argv[1]; or return
    test "$argv[2]" = any; or test (count (__@ID@_words)) -eq (math $argv[2] + 1)
end

@KINDS@
# "git @VERB@", for git's own completion: hand over what follows "@VERB@".
function __@ID@_from_git
    set -l words (commandline -opc)[2..]
    set -l folder .
    while set -q words[1]; and test $words[1] != @VERB@
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
    set -g __@ID@_folder $folder
    complete -C "@PROGRAM@ "(string join ' ' -- (string escape -- $words[2..]) '')(commandline -ct)
    set -e __@ID@_folder
end

complete -c git -f -n '__fish_git_using_command @VERB@' -a '(__@ID@_from_git)'

complete -c @PROGRAM@ -f
@LINES@

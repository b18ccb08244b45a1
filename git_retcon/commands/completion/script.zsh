#compdef @PROGRAM@
#description @MEANING@
#
# zsh completion of @PROGRAM@(1), for "@PROGRAM@ <TAB>" and "git @VERB@ <TAB>".
#
# To install it for yourself, in a folder of $fpath:
#
#     mkdir -p ~/.zfunc && git @VERB@ completion zsh >~/.zfunc/_@PROGRAM@
#
# with this above "compinit" in ~/.zshrc:
#
#     fpath=(~/.zfunc $fpath)
#
# @PROGRAM@ itself does not run while you type: its subcommands and options are listed here.

_@PROGRAM@_commands() {
  local -a commands=(
@LIST@
  )
  _describe -t commands '@PROGRAM@ command' commands
}

# A subcommand, or what $1 (a function) offers.
_@PROGRAM@_first_word() {
  local ret=1
  _@PROGRAM@_commands && ret=0
  [[ -n $1 ]] && $1 && ret=0
  return ret
}

@KINDS@
_@PROGRAM@() {
  # set by git's own completion, for "git -C folder @VERB@"
  local @ID@_folder=${(Q)opt_args[-C]}
  case $@ID@_folder in
    ''|/*) ;;
    \~/*) @ID@_folder=$HOME/${@ID@_folder#\~/} ;;
    *) @ID@_folder=$PWD/$@ID@_folder ;; # -W takes what is relative for a variable's name
  esac

  local -a shared=(
@SHARED@
  )
  local curcontext=$curcontext
  if (( CURRENT == 2 )); then
@FIRST@
    return
  fi

  local -a commands=(@VERBS@)
  local command=${words[2]}
  if (( ${commands[(Ie)$command]} )); then
    curcontext=${curcontext%:*}-$command:
    shift words
    (( CURRENT-- ))
  else
    command=@DEFAULT@
  fi
  case $command in
@ARMS@
  esac
}

_@PROGRAM@ "$@"

What is offered for each kind of value. The text before the first section is in no script.
Functions take the folder that paths start from as "@ID@_folder"; it may be empty.

### spec
# A file that holds a line [[commit]]; zsh asks this of each *.toml.
_@ID@_is_spec() {
  [[ $'\n'"$(<$REPLY)" == *$'\n'[[:blank:]]#'[[commit]]'* ]]
}

# Spec files; where there is none, other TOML files and the folders to look in.
_@PROGRAM@_spec() {
  setopt localoptions extendedglob
  local -a from
  [[ -n $@ID@_folder ]] && from=(-W $@ID@_folder)
  _wanted specs expl 'history specification' _path_files $from -g '*.toml(-.+_@ID@_is_spec)' && return
  _wanted files expl 'TOML file' _path_files $from -g "*.toml(-.) *(-/)"
}

### file
_@PROGRAM@_file() {
  local -a from
  [[ -n $@ID@_folder ]] && from=(-W $@ID@_folder)
  _path_files $from
}

### directory
_@PROGRAM@_directory() {
  local -a from
  [[ -n $@ID@_folder ]] && from=(-W $@ID@_folder)
  _path_files $from -/
}

### specification
_@PROGRAM@_specification() {
  local -a from
  [[ -n $@ID@_folder ]] && from=(-W $@ID@_folder)
  _path_files $from -g '*.allium(-.) *(-/)'
}

### revision module
# Branches and tags.
_@PROGRAM@_revision() {
  local -a names
  names=(HEAD ${(f)"$(git -C ${@ID@_folder:-.} for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null)"})
  _wanted revisions expl revision compadd -a names
}

### module
# The same; behind "REV:" the modules of the specification.
_@PROGRAM@_module() {
  local -a names
  local branch
  if compset -P '*:'; then
    branch=$(git -C ${@ID@_folder:-.} config allium.branch)
    names=(${(f)"$(git -C ${@ID@_folder:-.} ls-tree -r --name-only ${branch:-allium/evolution}:spec 2>/dev/null)"})
    _wanted modules expl module compadd - ${names%.allium}
  else
    _@PROGRAM@_revision
  fi
}

### declaration
# What the specification declares.
_@PROGRAM@_declaration() {
  local -a names
  local branch
  branch=$(git -C ${@ID@_folder:-.} config allium.branch)
  names=(${(f)"$(git -C ${@ID@_folder:-.} grep -hE '^(external entity|entity|value|enum|rule|contract) ' ${branch:-allium/evolution} -- spec 2>/dev/null)"})
  names=(${names%% #\{*})
  _wanted declarations expl declaration compadd - ${names##* }
}

### remote
_@PROGRAM@_remote() {
  local -a names
  names=(${(f)"$(git -C ${@ID@_folder:-.} remote 2>/dev/null)"})
  _wanted remotes expl remote compadd -a names
}

### variable
_@PROGRAM@_variable() {
  _parameters -g '*export*'
}

### workflow job
# The workflow files of the repository, in the array "workflows".
_@PROGRAM@_find_workflows() {
  local folder=${@ID@_folder:-$PWD}
  while [[ $folder == /*/* && ! -e $folder/.git ]]; do
    folder=${folder:h}
  done
  workflows=($folder/.github/workflows/*.(yml|yaml)(N-.))
}

### workflow
_@PROGRAM@_workflow() {
  local -a workflows
  _@PROGRAM@_find_workflows
  compadd -X workflow - ${workflows:t}
}

### job
# The ids of jobs: the keys that are indented as the first one below "jobs:" is.
_@PROGRAM@_job() {
  local -a workflows jobs names match mbegin mend
  local file line inside indent
  _@PROGRAM@_find_workflows
  for file in $workflows; do
    inside= indent=
    while IFS= read -r line; do
      case $line in
        jobs:*) inside=yes ;;
        [^\ \#]*) inside= ;;
        *)
          [[ -n $inside && $line =~ '^( +)([A-Za-z_][A-Za-z0-9_-]*):' ]] || continue
          : ${indent:=$match[1]}
          [[ $match[1] == "$indent" ]] && jobs+=$match[2]
          ;;
      esac
    done <$file
  done
  # The names of jobs and of cells of a matrix, which the last checks had.
  _@ID@_find_recent job
  compadd -X job - $jobs $names
}

### job run error
# Names that 'git heal' keeps beside its records, in lines of their kind and the name, in "names".
_@ID@_find_recent() {
  local common
  names=()
  common=$(git -C ${@ID@_folder:-.} rev-parse --path-format=absolute --git-common-dir 2>/dev/null) || return
  [[ -f $common/heal/recent ]] || return
  names=(${${(M)${(f)"$(<$common/heal/recent)"}:#$1 *}#$1 })
}

### run error
_@ID@_recent() {
  local -a names
  _@ID@_find_recent $1
  _wanted names expl $1 compadd -V names -a names
}

### run
_@PROGRAM@_run() {
  _@ID@_recent run
}

### error
_@PROGRAM@_error() {
  _@ID@_recent error
}

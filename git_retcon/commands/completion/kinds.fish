What is offered for each kind of value. The text before the first section is in no script.
Functions take the folder that paths start from as "__@ID@_folder", where it is set.

### spec specification file directory
# Folders and files that begin with what is typed, each with the folder it is found from in front.
function __@ID@_paths
    set -l typed (string unescape -- (string replace -r '^--[a-z-]+=' '' -- (commandline -ct)))
    set -l folder ./
    set -q __@ID@_folder; and set folder $__@ID@_folder/
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
            printf '%s\t%s/\n' $file $shown
        else
            printf '%s\t%s\n' $file $shown
        end
    end
end

# Print those paths that are folders.
function __@ID@_folders
    for found in (__@ID@_paths)
        string match -qr '/$' -- $found; and printf '%s\tfolder\n' (string split -m 1 -f 2 \t -- $found)
    end
end

### file
function __@ID@_file
    __@ID@_folders
    for found in (__@ID@_paths)
        string match -qr '/$' -- $found; or printf '%s\tfile\n' (string split -m 1 -f 2 \t -- $found)
    end
end

### directory
function __@ID@_directory
    __@ID@_folders
end

### specification
function __@ID@_specification
    __@ID@_folders
    for found in (__@ID@_paths)
        string match -q '*.allium' -- $found
        and printf '%s\tspecification\n' (string split -m 1 -f 2 \t -- $found)
    end
end

### spec
# Spec files; where there is none, other TOML files and the folders to look in.
function __@ID@_spec
    set -l specs
    set -l others
    for found in (__@ID@_paths)
        set -l parts (string split -m 1 \t -- $found)
        string match -q '*.toml' -- $parts[2]; or continue
        if string match -qr '^\s*\[\[commit\]\]' <$parts[1]
            set -a specs $parts[2]
        else
            set -a others $parts[2]
        end
    end
    if set -q specs[1]
        printf '%s\thistory specification\n' $specs
        return
    end
    __@ID@_folders
    set -q others[1]; and printf '%s\tTOML file\n' $others
end

### revision module
# Branches and tags.
function __@ID@_revision
    set -l folder .
    set -q __@ID@_folder; and set folder $__@ID@_folder
    echo HEAD
    git -C $folder for-each-ref --format='%(refname:short)' refs/heads refs/tags refs/remotes 2>/dev/null
end

### module
# The same; behind "REV:" the modules of the specification.
function __@ID@_module
    set -l typed (commandline -ct)
    if not string match -q '*:*' -- $typed
        __@ID@_revision
        return
    end
    set -l folder .
    set -q __@ID@_folder; and set folder $__@ID@_folder
    set -l branch (git -C $folder config allium.branch)
    set -q branch[1]; or set branch allium/evolution
    set -l revision (string split -m 1 -f 1 : -- $typed)
    for name in (git -C $folder ls-tree -r --name-only $branch:spec 2>/dev/null)
        echo $revision:(string replace -r '\.allium$' '' -- $name)
    end
end

### declaration
# What the specification declares.
function __@ID@_declaration
    set -l folder .
    set -q __@ID@_folder; and set folder $__@ID@_folder
    set -l branch (git -C $folder config allium.branch)
    set -q branch[1]; or set branch allium/evolution
    git -C $folder grep -hE '^(external entity|entity|value|enum|rule|contract) ' $branch -- spec 2>/dev/null |
        string replace -r ' *\{.*' '' | string replace -r '.* ' ''
end

### remote
function __@ID@_remote
    set -l folder .
    set -q __@ID@_folder; and set folder $__@ID@_folder
    git -C $folder remote 2>/dev/null
end

### variable
function __@ID@_variable
    set -nx
end

### workflow job
# The workflow files of the repository.
function __@ID@_workflow_files
    set -l folder $PWD
    if set -q __@ID@_folder
        set folder $__@ID@_folder
        string match -q '/*' -- $folder; or set folder $PWD/$folder
    end
    while string match -q '/*/*' -- $folder; and not test -e $folder/.git
        set folder (string replace -r '/[^/]*$' '' -- $folder)
    end
    for file in $folder/.github/workflows/*.yml $folder/.github/workflows/*.yaml
        test -f $file; and echo $file
    end
end

### workflow
function __@ID@_workflow
    string replace -r '.*/' '' -- (__@ID@_workflow_files)
end

### job
# The ids of jobs: the keys that are indented as the first one below "jobs:" is.
function __@ID@_job
    for file in (__@ID@_workflow_files)
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
    # The names of jobs and of cells of a matrix, which the last checks had.
    __@ID@_recent job
end

### job run error
# Names that 'git heal' keeps beside its records, in lines of their kind and the name.
function __@ID@_recent
    set -l folder .
    set -q __@ID@_folder; and set folder $__@ID@_folder
    set -l common (git -C $folder rev-parse --path-format=absolute --git-common-dir 2>/dev/null)
    test -f "$common/heal/recent"; or return
    string replace -fr "^$argv[1] " '' <$common/heal/recent
end

### run
function __@ID@_run
    __@ID@_recent run
end

### error
function __@ID@_error
    __@ID@_recent error
end

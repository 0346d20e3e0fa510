# fish completion for sinew: commands, options and built-in names are asked of the command itself.
function __sinew_commands
    sinew --help 2>/dev/null | sed -n '/^commands/,/^$/s/^  \([a-z]*\)  *\(.*\)/\1\t\2/p'
end
function __sinew_options
    set -l words (commandline -opc)
    sinew help $words[2] 2>/dev/null | sed -n 's/^  \(--*[a-z][a-z-]*\)[A-Z ]*  *\(.*\)/\1\t\2/p'
end
complete -c sinew -n __fish_use_subcommand -f -a '(__sinew_commands)'
complete -c sinew -n 'not __fish_use_subcommand; and string match -q -- "-*" (commandline -ct)' -f -a '(__sinew_options)'
complete -c sinew -n '__fish_seen_subcommand_from play evaluate export' -a 'humanoid-walk humanoid-run humanoid-stick dog-trot'
complete -c sinew -n 'not __fish_use_subcommand' -a '(sinew inspect --list 2>/dev/null | string replace -r " +" "\tbuilt-in ")'

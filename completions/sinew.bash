# bash completion for sinew: commands, options and built-in names are asked of the command itself.
_sinew() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} sinew=${COMP_WORDS[0]} words=
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "${COMP_WORDS[1]}" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
        words=$("$sinew" --help 2>/dev/null | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p')
        [ "$COMP_CWORD" -eq 1 ] && words="$words --help --version"
    elif [[ $cur == -* ]]; then
        words=$("$sinew" help "${COMP_WORDS[1]}" 2>/dev/null | sed -n 's/^  \(--*[a-z][a-z-]*\).*/\1/p')
    else
        case $prev in
            --up | --facing) words="x y z -x -y -z" ;;
            --form) words="stable explicit implicit-d full" ;;
            --solver) words="maba dense lapack sparse pcg" ;;
            --precision) words="double float" ;;
            --contact) words="implicit rows" ;;
            *)
                case ${COMP_WORDS[1]} in
                    track | crowd | run | train | inspect | convert | keyframe)
                        words=$("$sinew" inspect --list 2>/dev/null | sed 's/ .*//') ;;
                    play | evaluate | export) words="humanoid-walk humanoid-run humanoid-stick dog-trot" ;;
                    reproduce | plot)
                        words=$("$sinew" reproduce --list 2>/dev/null | sed -n 's/^ *\([a-z]*\/[a-z-]*\).*/\1/p') ;;
                esac
                COMPREPLY=($(compgen -f -- "$cur"))
                ;;
        esac
    fi
    COMPREPLY+=($(compgen -W "$words" -- "$cur"))
}
complete -o filenames -F _sinew sinew

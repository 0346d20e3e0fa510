#!/usr/bin/env bash
# Writes the manual page of the command, from what the command says of itself.
# usage: man.sh SINEW >sinew.1
set -euo pipefail
sinew=${1:?usage: man.sh SINEW}

# Text as it stands: backslashes, and dots and quotes at the start of a line, mean something to roff.
plain() {
    sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e "s/^\([.']\)/\\\\\&\1/"
}

version=$("$sinew" --version | sed -n '1s/^sinew //p')
echo ".TH SINEW 1 \"\" \"sinew $version\" \"User Commands\""
echo ".SH NAME"
echo 'sinew \- physics-based characters under stable PD control, in linear time'
echo ".SH SYNOPSIS"
echo ".B sinew"
echo ".I COMMAND"
echo "[\\fIOPTIONS\\fR] ..."
echo ".SH DESCRIPTION"
echo ".nf"
"$sinew" --help | sed 1,2d | plain
echo ".fi"
echo ".SH COMMANDS"
for command in $("$sinew" --help | sed -n '/^commands/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    echo ".SS $command"
    echo ".nf"
    "$sinew" help "$command" | plain
    echo ".fi"
done
echo ".SH EXIT STATUS"
echo "0: done. 1: it could not be done, or a character diverged. 2: the command line is wrong. 130: broken off by hand."
echo ".SH ENVIRONMENT"
echo ".nf"
printf '%s\n' "SINEW_LANES, SINEW_ISA  lane type and instruction set to use" \
    "SINEW_SHARE             folder of report.html and the playground" \
    "SINEW_CHROMIUM          browser of sinew render" \
    "NO_COLOR                no colours in the terminal" | plain
echo ".fi"

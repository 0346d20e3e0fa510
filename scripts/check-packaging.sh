#!/usr/bin/env bash
# Reads the recipes of packaging/ and debian/ as far as tools for it are here: JSON and Python by python3, Ruby by ruby, YAML
# by python3-yaml. Every option SINEW_... that they set must be one of the project's.
set -euo pipefail
cd "$(dirname "$0")/.."

said=()
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(open(sys.argv[1]))' packaging/vcpkg/vcpkg.json
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' packaging/conan/conanfile.py
    said+=(vcpkg.json conanfile.py)
    if python3 -c 'import yaml' 2>/dev/null; then # what stands in braces and after "# [" is conda's own
        sed -E '/^\{%.*%\}$/d; s/\{\{[^}]*\}\}/x/g' packaging/conda/meta.yaml | python3 -c 'import sys, yaml; yaml.safe_load(sys.stdin)'
        said+=(meta.yaml)
    fi
fi
if command -v ruby >/dev/null; then
    ruby -c packaging/homebrew/sinew.rb >/dev/null
    said+=(sinew.rb)
fi

# The conan recipe puts names together from these words.
words=$(sed -n 's/^ *for name in (\(.*\)):$/\1/p' packaging/conan/conanfile.py | grep -oE '[A-Z]+' | sed 's/^/SINEW_/')
for option in $words $(grep -rhoE 'SINEW_[A-Z_]+' packaging debian/rules | grep -vE '_$|^SINEW_PYTHON_' | sort -u); do
    grep -qrE "(option|set)\($option |sinew_optional\(${option#SINEW_} " CMakeLists.txt cmake ||
        { echo "check-packaging: a recipe sets $option, which no CMake file knows" >&2; exit 1; }
done
echo "check-packaging: ${said[*]} can be read, and the options of all recipes exist"

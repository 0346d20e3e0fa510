"""Runs a notebook cell by cell, without Jupyter. The value of each cell must be one that a notebook can show.

usage: notebook.py FILE"""
import ast
import json
import sys


def run(path):
    with open(path, encoding="utf-8") as file:
        cells = [one for one in json.load(file)["cells"] if one["cell_type"] == "code"]
    names = {"__name__": "__main__"}
    for number, cell in enumerate(cells):
        source = "".join(cell["source"])
        tree = ast.parse(source, "cell %d" % number)
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell %d" % number, "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "cell %d" % number, "eval"), names)
            assert len(value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)) > 0
    print("%d cells ran" % len(cells))


run(sys.argv[1])

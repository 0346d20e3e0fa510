#!/usr/bin/env python3
"""Stages the documents of the project for mkdocs (scripts/site.sh): all Markdown files where they are, and a page for every source
file that one of them links to, so that no link leaves the site. `<!-- view ATTRIBUTES -->` in a document becomes a live
<sinew-view>.

usage: site.py stage FOLDER [LIVE]   LIVE: the built pages, which are copied to FOLDER/docs/live; without them views are left out
       site.py check SITE            every link and every place on a page that a link names is there; search finds every function
"""
import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent
NAV = [
    ("Start", ["README.md", "docs/hello.md", "docs/worlds.md", "docs/ragdolls.md", "docs/puppets.md", "docs/constraints.md",
               "docs/formats.md", "docs/recording.md", "docs/copies.md", "docs/position.md", "docs/faq.md", "examples/README.md"]),
    ("Learning", ["docs/learning.md", "docs/learning-results.md"]),
    ("Languages", ["docs/python.md", "npm/README.md", "docs/web.md"]),
    ("Reference", ["docs/definitions.md"]),
    ("Inside", ["docs/theory.md", "docs/benchmarks.md", "docs/experiments.md", "docs/decisions.md", "docs/reading-order.md",
                "docs/extending.md", "docs/first-change.md", "docs/data.md"]),
    ("Project", ["CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md", "CODE_OF_CONDUCT.md"]),
]
LANGUAGE = {".c": "c", ".h": "c", ".py": "python", ".json": "json", ".js": "js", ".sh": "bash"}
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def listed(pattern):
    """Files of the project that match, as git knows them."""
    out = subprocess.run(["git", "-C", str(TOP), "ls-files", *pattern], capture_output=True, text=True, check=True).stdout
    return [line for line in out.splitlines() if (TOP / line).is_file()]


def page_of(path):
    """Where a file of the project is in the staged folder: mkdocs takes README.md as index.html of its folder."""
    return path if path.suffix in (".md", ".svg", ".png", ".webp", ".csv") else path.with_name(path.name + ".md")


class Stage:
    def __init__(self, folder, live):
        self.folder, self.live, self.queue, self.done = pathlib.Path(folder) / "docs", live, [], set()

    def put(self, path, text):
        to = self.folder / page_of(path)
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text, encoding="utf-8")

    def add(self, path):
        if path in self.done:
            return
        self.done.add(path)
        source = TOP / path
        if path.suffix == ".md":
            self.put(path, self.document(path, source.read_text(encoding="utf-8")))
        elif page_of(path) == path:
            (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, self.folder / path)
        else:
            text = source.read_text(encoding="utf-8")
            self.put(path, f"# {path}\n\n````{LANGUAGE.get(path.suffix, 'text')}\n{text}\n````\n")

    def document(self, path, text):
        def link(match):
            target = match.group(2)
            if re.match(r"[a-z]+:", target):
                return match.group(0)
            there = pathlib.Path(os.path.normpath(path.parent / target))
            if (TOP / there).is_dir():
                return match.group(0).replace(target, "#")
            if not (TOP / there).is_file():
                sys.exit(f"site: {path}: there is no {target}")
            self.queue.append(there)
            return match.group(1) + os.path.relpath(page_of(there), path.parent) + (match.group(3) or "") + match.group(4)

        parts = re.split(r"(^```.*?^```$)", text, flags=re.M | re.S)
        text = "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)
        # GitHub begins a list right after a paragraph; mkdocs needs an empty line.
        text = re.sub(r"^(?![-*|>\s]|\d+\.)(.+)\n(?=[-*] )", r"\1\n\n", text, flags=re.M)
        return re.sub(r"<!-- view (.*?) -->", lambda match: self.view(path, match.group(1)), text)

    def view(self, path, attributes):
        if not self.live:
            return ""
        script = os.path.relpath("live/sinew-view.js", path.parent)
        attributes = attributes.replace('"live/', f'"{os.path.relpath("live", path.parent)}/')
        return f'<sinew-view {attributes} controls style="height:360px;border-radius:12px;overflow:hidden"></sinew-view>\n<script type="module" src="{script}"></script>'

    def run(self):
        for name in listed(["*.md"]):
            if not name.startswith(("tests/", "web/", "debian/")):
                self.queue.append(pathlib.Path(name))
        self.queue += [pathlib.Path(name) for name in listed(["include/sinew/*.h", "examples/*.c"])]
        while self.queue:
            self.add(self.queue.pop())
        if self.live:
            shutil.copytree(self.live, self.folder / "live", ignore=shutil.ignore_patterns("shots", "report.html", "sinew-plain.*"))
        headers = sorted(path for path in self.done if path.suffix == ".h" and path.parts[0] == "include")
        nav = [{title: [str(page_of(pathlib.Path(name))) for name in names]} for title, names in NAV]
        for entry in nav:
            if "Reference" in entry:
                entry["Reference"] += [{path.name: str(page_of(path))} for path in headers]
        config = {"site_name": "Sinew", "use_directory_urls": False, "strict": True, "nav": nav, "theme": {"name": "mkdocs", "highlightjs": False},
                  "markdown_extensions": ["tables", "fenced_code", "attr_list", "md_in_html"], "plugins": ["search"]}
        (self.folder.parent / "mkdocs.yml").write_text(json.dumps(config, indent=1)) # JSON is YAML


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.links, self.names = [], set()
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id" or (name == "name" and tag == "a"):
                self.names.add(value)
            elif name in ("href", "src") and value:
                self.links.append(value)


def check(site):
    site = pathlib.Path(site)
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in site.rglob("*.html") if "live" not in path.relative_to(site).parts}
    bad = 0
    for path, page in pages.items():
        for link in page.links:
            if re.match(r"[a-z]+:|//", link):
                if not link.startswith(("http", "mailto:", "data:")) or link.startswith("//"):
                    print(f"site: {path}: {link}"), (bad := bad + 1)
                continue
            name, _, place = link.partition("#")
            there = (path.parent / name.partition("?")[0]).resolve() if name else path.resolve()
            if there.is_dir():
                there = there / "index.html"
            if not there.exists():
                print(f"site: {path.relative_to(site)}: {link} is not there"), (bad := bad + 1)
            elif place and (site / there.relative_to(site.resolve())) in pages and place not in pages[site / there.relative_to(site.resolve())].names:
                print(f"site: {path.relative_to(site)}: {link}: no such place on that page"), (bad := bad + 1)
    index = json.loads((site / "search/search_index.json").read_text(encoding="utf-8"))
    words = " ".join(entry["title"] + " " + entry["text"] for entry in index["docs"])
    functions = set()
    for header in sorted((TOP / "include/sinew").glob("*.h")):
        functions |= set(re.findall(r"^SN_API [^;(]*?\b(sn_\w+)\(", header.read_text(), flags=re.M))
    lost = sorted(name for name in functions if name not in words)
    for name in lost:
        print(f"site: search does not find {name}")
    print(f"site: {len(pages)} pages, {sum(len(page.links) for page in pages.values())} links, {len(functions)} functions in the search index, {bad + len(lost)} defects")
    return 1 if bad or lost else 0


if __name__ == "__main__":
    if len(sys.argv) >= 3 and sys.argv[1] == "stage":
        Stage(sys.argv[2], sys.argv[3] if len(sys.argv) > 3 else None).run()
    elif len(sys.argv) == 3 and sys.argv[1] == "check":
        sys.exit(check(sys.argv[2]))
    else:
        sys.exit(__doc__)

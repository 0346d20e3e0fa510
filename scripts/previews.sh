#!/usr/bin/env bash
# Makes a page for each scene that links are shared of, build/web/share/NAME.html, with a picture that `sinew render` draws: what
# other sites show of a link (Open Graph). The page leads on to the scene. Needs the command, the pages (make web) and Chromium.
# usage: previews.sh
#   SINEW_SITE  where the folder build/web will be, as https://example.org/sinew/: other sites want whole addresses of pictures
set -euo pipefail
cd "$(dirname "$0")/.."

command=${SINEW_COMMAND:-build/release/cli/sinew}
out=build/web/share
site=${SINEW_SITE:-../}
[ -x "$command" ] || { echo "previews: skipped: the command is not built (make)"; exit 0; }
mkdir -p "$out"
export SINEW_SHARE=${SINEW_SHARE:-$PWD/build/web}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name | page | seconds into the recording | title | sentence | how it is recorded
while IFS='|' read -r name page time title text record; do
    # shellcheck disable=SC2086 # words of a command
    "$command" $record --record "$work/$name.json" >/dev/null || { echo "previews: '$record' failed" >&2; exit 1; }
    "$command" render "$work/$name.json" "$out/$name.png" --width 1200 --height 630 --time "$time" --ghost off >/dev/null ||
        { echo "previews: skipped: no picture could be drawn (Chromium)"; exit 0; }
    cat >"$out/$name.html" <<PAGE
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' data:">
<meta http-equiv="refresh" content="0; url=../$page">
<meta name="description" content="$text">
<meta property="og:title" content="$title">
<meta property="og:description" content="$text">
<meta property="og:type" content="website">
<meta property="og:image" content="${site}share/$name.png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta name="twitter:card" content="summary_large_image">
<title>$title</title>
<link rel="icon" href="data:,">
</head>
<body><main><h1>$title</h1><p>$text</p><p><a href="../$page">Open it</a></p><img src="$name.png" width="600" height="315" alt="$text"></main></body>
</html>
PAGE
    echo "previews: $out/$name.html"
done <<'LIST'
walk||1.0|Watch it learn to walk|24 humanoids fall until they can walk, in your browser.|play humanoid-walk --seconds 2
drive|drive/|1.0|Steer a character made of physics|It walks, runs, is hit by balls, falls and gets up.|play humanoid-stick --seconds 2 --stick-hold 2.5,0,0
trot|#learn=trot&amp;seed=1&amp;iterations=400|1.0|A dog learns to trot|A dog of 72 degrees of freedom learns to trot, in your browser.|play dog-trot --seconds 2
run|play/#scene=run|0.9|Run|A runner keeps to its motion. Pull at an arm.|track humanoid run --ground
hit|play/#scene=hit|0.7|Hit me|A walker gives way to balls and recovers. Throw one.|track humanoid walk --ground
kick|play/#scene=kick|0.8|Kick|A heavy ball is kicked, round after round.|track humanoid kick --ground
catch|play/#scene=catch|0.8|Catch|A ball for both hands.|track humanoid catch --ground
LIST

"""A live world in a browser: a local page with a player, and a way back in time."""
import http.server
import json
import threading
import urllib.parse
import webbrowser

from .record import Recording, page

_PAGE = """<!doctype html><title>Sinew</title><style>body{margin:0;font:14px sans-serif}div{padding:6px}iframe{border:0;width:100%%;height:calc(100vh - 44px)}
input{width:50%%;vertical-align:middle}</style><div>time <input id=t type=range min=0 max=0 step=any> <span id=s></span>
<button id=r>rewind to here</button> <button id=n>show what is new</button></div><iframe id=f src="page"></iframe><script>
const t = document.getElementById('t'), s = document.getElementById('s'); let held = false;
t.oninput = () => { held = true; s.textContent = (+t.value).toFixed(2) + ' s'; };
document.getElementById('r').onclick = () => fetch('rewind?t=' + t.value, {method: 'POST'}).then(() => { held = false; });
document.getElementById('n').onclick = () => { document.getElementById('f').src = 'page?' + Date.now(); };
setInterval(async () => { const now = await (await fetch('state')).json(); t.min = now.first; t.max = now.time;
  if (!held) { t.value = now.time; s.textContent = now.time.toFixed(2) + ' s'; } }, 500);
</script>"""


class Show:
    """What sinew.show returns. Step the world through it: show.step(8) records frames and keeps snapshots. The page plays what was recorded
    and can ask to go back; the world then returns to that time at the next step."""

    def __init__(self, world, port=0, open_browser=None, every=0.1, keep=600):
        self.world, self._every, self._keep = world, every, keep
        self._lock = threading.Lock()
        self._snapshots = [(world.time, world.snapshot())]
        self._wanted = None
        self.recording = Recording(world, count=min(world.copies, 16)).take()
        show = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def _send(self, text, kind="text/html"):
                data = text.encode()
                self.send_response(200)
                self.send_header("Content-Type", kind + "; charset=utf-8")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def do_GET(self):
                path = urllib.parse.urlparse(self.path).path
                if path == "/":
                    self._send(_PAGE.replace("%%", "%"))
                elif path == "/page":
                    with show._lock:
                        text = show.recording.text()
                    self._send(page(text))
                elif path == "/state":
                    with show._lock:
                        state = {"first": show._snapshots[0][0], "time": show.world.time}
                    self._send(json.dumps(state), "application/json")
                else:
                    self.send_error(404)

            def do_POST(self):
                wanted = urllib.parse.parse_qs(urllib.parse.urlparse(self.path).query).get("t")
                if wanted:
                    with show._lock:
                        show._wanted = float(wanted[0])
                self._send("{}", "application/json")

            def log_message(self, *arguments):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self._server.daemon_threads = True
        self.url = "http://127.0.0.1:%d/" % self._server.server_port
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        if open_browser:
            webbrowser.open(self.url)

    def step(self, n=1):
        """Steps the world n times, after going back if the page asked for it."""
        for _ in range(n):
            with self._lock:
                if self._wanted is not None:
                    wanted, self._wanted = self._wanted, None
                    self._rewind(wanted)
                self.world.step()
                self.recording.take()
                if self.world.time - self._snapshots[-1][0] >= self._every:
                    self._snapshots.append((self.world.time, self.world.snapshot()))
                    del self._snapshots[:-self._keep]

    def rewind(self, time):
        """Goes back to the last snapshot at or before a time, and records from there."""
        with self._lock:
            self._rewind(time)

    def _rewind(self, time):
        while len(self._snapshots) > 1 and self._snapshots[-1][0] > time:
            self._snapshots.pop()
        self.world.restore(self._snapshots[-1][1])
        self.recording = Recording(self.world, count=min(self.world.copies, 16)).take()

    def close(self):
        """Ends the server."""
        self._server.shutdown()
        self._server.server_close()

    def _repr_html_(self):
        return '<iframe src="%s" style="width:100%%;height:520px;border:0"></iframe>' % self.url

    def __repr__(self):
        return "<show at %s, t = %.4g s>" % (self.url, self.world.time)


def show(world, *, port=0, open_browser=None):
    """Opens a page on a live world, from a server on this machine alone. Returns a Show, with which the world is stepped. In a notebook
    its cell is the page; elsewhere open_browser=True opens a browser."""
    return Show(world, port, open_browser)

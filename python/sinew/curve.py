"""The curve of a training, as it grows, in a notebook."""
import math
import sys
import time


def in_notebook():
    """Whether the code runs in a Jupyter kernel."""
    shell = sys.modules.get("IPython")
    try:
        return shell is not None and "IPKernelApp" in shell.get_ipython().config
    except AttributeError:
        return False


class Curve:
    """Mean returns over samples. `plot` None: shown in notebooks only."""

    def __init__(self, plot=None):
        self.points = []
        self._shown = in_notebook() if plot is None else bool(plot) and "IPython" in sys.modules
        self._handle, self._last = None, 0.0

    def add(self, progress):
        if math.isfinite(progress.mean_return):
            self.points.append((progress.samples, progress.mean_return))
        if self._shown and time.monotonic() - self._last > 1:
            self._show()

    def finish(self):
        if self._shown and self.points:
            self._show()

    def _show(self):
        from IPython.display import HTML, display

        self._last = time.monotonic()
        if self._handle is None:
            self._handle = display(HTML(self.svg()), display_id=True)
        else:
            self._handle.update(HTML(self.svg()))

    def svg(self, width=560, height=220):
        """The curve as SVG."""
        if not self.points:
            return "<svg width='%d' height='%d'></svg>" % (width, height)
        most_x = max(x for x, _ in self.points) or 1
        low, high = min(0.0, min(y for _, y in self.points)), max(1e-9, max(y for _, y in self.points))
        left, top, w, h = 50, 10, width - 70, height - 45

        def place(x, y):
            return "%.1f,%.1f" % (left + w * x / most_x, top + h * (1 - (y - low) / (high - low)))

        line = " ".join(place(x, y) for x, y in self.points)
        return (
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' font-family='sans-serif' font-size='12'>"
            "<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#999'/>"
            "<polyline points='%s' fill='none' stroke='#1f77b4' stroke-width='2'/>"
            "<text x='%d' y='%d' text-anchor='end'>%.3g</text><text x='%d' y='%d' text-anchor='end'>%.3g</text>"
            "<text x='%d' y='%d' text-anchor='middle'>mean return over %.2g samples: %.4g</text></svg>"
            % (width, height, left, top, w, h, line, left - 6, top + 12, high, left - 6, top + h, low, left + w // 2, height - 12,
               most_x, self.points[-1][1]))

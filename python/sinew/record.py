"""Recordings: what a world did, frame by frame."""
import ctypes
import html
import json
import os

from . import _c
from ._errors import FileError
from ._lib import HERE, Handle, address, array, check, definition, document, lib, made

_MARK = "<!-- recording -->"


def page(recording):
    """The page of reports with a recording (JSON text) in it."""
    for path in (HERE / "report.html", HERE.parent.parent / "web/prebuilt/report.html"):
        if path.exists():
            break
    else:
        raise FileError("the page of reports is not beside the package")
    before, after = path.read_text(encoding="utf-8").split(_MARK, 1)
    safe = recording.replace("<", "\\u003c")
    return '%s<script type="application/json" id="recording">%s</script>%s' % (before, safe, after)


class Recording:
    """Records a world. In a notebook its cell is a page with a player.

        show = sinew.Recording(world)
        for _ in range(240): world.step(); show.take()
        show.save("run.html")                 # or .json, .glb, .bvh"""

    def __init__(self, world, *, first=0, count=1, rate=60.0, contacts=True, torques=False, name=None):
        made_of = definition("sn_recorder_def", first=first, count=count, rate=rate, contacts=contacts, torques=torques,
                             name=name or (world.members[0].model.name or None if world.members else None))
        error = _c.sn_error()
        pointer = made(lib.sn_recorder_create(world._pointer, ctypes.byref(made_of), ctypes.byref(error)), error)
        self._handle = Handle(pointer, lib.sn_recorder_free, world._handle)
        self._world, self._kept = world, []
        self.frames = 0

    @property
    def _pointer(self):
        return self._handle.pointer

    def take(self, time=None):
        """Takes a frame if one is due at this time, by default the world's own. Returns the recording."""
        check(lib.sn_recorder_take(self._pointer, self._world.time if time is None else time))
        self.frames += 1
        return self

    def ghost(self, model, q, torque=None):
        """Shows where the first member should be, from the next frame on."""
        q = array(q, float, (model.nq,), "q")
        torque = None if torque is None else array(torque, float, (model.nv,), "torque")
        self._kept = [model]
        self._handle.need(model._handle) if not getattr(self, "_ghost", None) is model else None
        self._ghost = model
        check(lib.sn_recorder_pose(self._pointer, b"reference", model._pointer, address(q), address(torque)))

    def number(self, name, value):
        """A number for each frame, from the next one on."""
        check(lib.sn_recorder_number(self._pointer, name.encode(), value))

    def event(self, kind, text, time=None):
        """Something that happened."""
        when = self._world.time if time is None else time
        check(lib.sn_recorder_event(self._pointer, when, kind.encode(), text.encode()))

    def note(self, key, value):
        """A value of JSON under a key of its own."""
        check(lib.sn_recorder_note(self._pointer, key.encode(), json.dumps(value).encode()))

    def text(self):
        """The recording as JSON."""
        size = ctypes.c_size_t()
        place = lib.sn_recorder_text(self._pointer, ctypes.byref(size))
        if not place:
            raise ValueError("nothing was recorded: call take() after each step")
        return place.decode() if isinstance(place, bytes) else ctypes.string_at(place, size.value).decode()

    def save(self, path):
        """Writes the recording, by the ending of the name: .html (a page with a player), .glb, .bvh, or JSON."""
        if os.fspath(path).endswith(".html"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(page(self.text()))
            return
        error = _c.sn_error()
        check(lib.sn_recorder_save(self._pointer, os.fsencode(path), ctypes.byref(error)), error)

    def _repr_html_(self, height=480):
        return '<iframe srcdoc="%s" style="width:100%%;height:%dpx;border:0" sandbox="allow-scripts"></iframe>' % (
            html.escape(page(self.text())), height)

    def __repr__(self):
        return "<recording: %d frames asked for, t = %.4g s>" % (self.frames, self._world.time)


Recording.__doc__ = document("sn_recorder_def", Recording.__doc__)

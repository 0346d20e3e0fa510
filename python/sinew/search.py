"""Searches over parameters: CMA-ES and policy gradients."""
import ctypes

import numpy as np

from . import _c
from ._lib import Handle, address, array, check, choice, document, fill, lib, made


class Search:
    """Looks for the parameters with the best score:

        search = sinew.Search(n)
        for _ in range(100):
            x = search.ask()                      # (candidates, n)
            search.tell([score(one) for one in x])
        x, score = search.best

    The method is "cma", "gradient" or "natural". More is better, and NaN is worse than all."""

    def __init__(self, n, method="cma", *, start=None, **settings):
        self.n = int(n)
        number = choice("sn_search_method", method, "method")
        defined = lib.sn_search_def_default(number, self.n) if lib.has("sn_search_def_default") else _search_def(number, self.n)
        if start is not None:
            settings["start"] = array(start, np.float64, (self.n,), "start")
        fill(defined, settings)
        error = _c.sn_error()
        self._handle = Handle(made(lib.sn_search_create(ctypes.byref(defined), ctypes.byref(error)), error), lib.sn_search_free)

    def ask(self):
        """The candidates of this generation, (candidates, n)."""
        count = ctypes.c_int()
        place = lib.sn_search_ask(self._handle.pointer, ctypes.byref(count))
        return self._rows(place, count.value)

    def _rows(self, place, rows):
        whole = (ctypes.c_double * (rows * self.n)).from_address(place)
        return np.frombuffer(whole, np.float64).reshape(rows, self.n).copy()

    def tell(self, score):
        """The scores of the candidates that `ask` gave."""
        score = array(score)
        count = ctypes.c_int()
        lib.sn_search_ask(self._handle.pointer, ctypes.byref(count))
        if score.shape != (count.value,):
            raise ValueError("%d scores are needed, one for each candidate, not %s" % (count.value, score.shape))
        error = _c.sn_error()
        check(lib.sn_search_tell(self._handle.pointer, address(score), ctypes.byref(error)), error)

    @property
    def mean(self):
        """The mean of the distribution."""
        return self._rows(lib.sn_search_get(self._handle.pointer).mean, 1)[0]

    @property
    def best(self):
        """(x, score) of the best candidate so far."""
        found = lib.sn_search_get(self._handle.pointer)
        return self._rows(found.best, 1)[0], found.score

    def __repr__(self):
        return "<search over %d parameters, best %.6g>" % (self.n, self.best[1])


def _search_def(method, n):
    from ._lib import definition

    defined = definition("sn_search_def", n=n)
    defined.method = method
    return defined


Search.__doc__ = document("sn_search_def", Search.__doc__, ("method", "n", "start"))

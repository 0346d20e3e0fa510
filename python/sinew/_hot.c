/* World and Member as C types: the calls that stand in loops, at a tenth of what ctypes costs.
 *
 * Everything else of the package is Python over ctypes; python/sinew/_pure.py has these two types again without C. The file
 * uses the limited API of CPython 3.11, so that one build serves all later versions, and no header of NumPy. Functions of
 * the library come as addresses from the library that Python has loaded. */
#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <sinew/sinew.h>
#include <string.h>

#define FUNCTIONS(X)                                                                                         \
    X(sn_world_step)                                                                                         \
    X(sn_world_time) X(sn_world_hash) X(sn_world_take) X(sn_world_put) X(sn_world_set_target)

static struct {
#define X(name) __typeof__(name) *name;
    FUNCTIONS(X)
#undef X
} call;

static PyObject *ndarray;   /* numpy.ndarray */
static PyObject *dtypes[2]; /* of double and float */
static PyObject *failed;    /* failed(world, status) raises */
static PyObject *coerce;    /* coerce(member, name, value) gives an array of the field's own shape and type */
static PyObject *closed;    /* raised for a world that is gone or busy */

typedef __typeof__(sn_world_add((sn_world *)0, (const sn_model *)0, (sn_error *)0)) member_number;

typedef struct {
    PyObject_HEAD sn_world *world;
    int copies, is_float;
    int long_calls; /* whether calls take long enough to let other threads of Python run */
    int busy;       /* a call runs in some thread without the lock of the interpreter */
} World;

typedef struct {
    PyObject_HEAD World *world;
    member_number number;
    size_t bytes[SN_FIELD_COUNT]; /* of all copies */
    size_t row;                   /* bytes of one pose in double */
    PyObject *shape[SN_FIELD_COUNT];
} Member;

/* *place = object, whose reference it takes over. */
static void replace(PyObject **place, PyObject *object) {
    PyObject *old = *place;
    *place = object;
    Py_XDECREF(old);
}

static int usable(World *self) {
    if (self && self->world && !self->busy) return 1;
    PyErr_SetString(closed,
                    !self || !self->world ? "this world is closed" : "another thread uses this world");
    return 0;
}

static PyObject *check(World *self, sn_status status) {
    if (status == SN_OK) Py_RETURN_NONE;
    return PyObject_CallFunction(failed, "Oi", self, (int)status);
}

/* ----------------------------------------------------------------------------------------------------------- World */

static PyObject *world_attach(PyObject *object, PyObject *arguments) {
    World *self = (World *)object;
    unsigned long long address;
    if (!PyArg_ParseTuple(arguments, "Kipp", &address, &self->copies, &self->is_float, &self->long_calls))
        return NULL;
    self->world = (sn_world *)(uintptr_t)address;
    Py_RETURN_NONE;
}

/* Steps without the lock of the interpreter where that is worth its cost, and looks for Ctrl-C now and then. */
static PyObject *world_step(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
    World *self = (World *)object;
    long steps = 1;
    if (count > 1) return PyErr_Format(PyExc_TypeError, "step() takes one argument, the number of steps");
    if (count == 1) {
        steps = PyLong_AsLong(arguments[0]);
        if (steps == -1 && PyErr_Occurred()) return NULL;
    }
    if (!usable(self)) return NULL;
    const int apart = self->long_calls || steps > 32;
    while (steps > 0) {
        long part = steps < 256 ? steps : 256;
        sn_status status = SN_OK;
        steps -= part;
        PyThreadState *state = NULL;
        if (apart) {
            self->busy = 1;
            state = PyEval_SaveThread();
        }
        while (part-- > 0 && status == SN_OK)
            status = call.sn_world_step(self->world);
        if (apart) {
            PyEval_RestoreThread(state);
            self->busy = 0;
        }
        if (status != SN_OK) return check(self, status);
        if (apart && PyErr_CheckSignals()) return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *world_time(PyObject *object, void *closure) {
    (void)closure;
    World *self = (World *)object;
    return usable(self) ? PyFloat_FromDouble(call.sn_world_time(self->world)) : NULL;
}

static PyObject *world_hash(PyObject *object, PyObject *unused) {
    (void)unused;
    World *self = (World *)object;
    return usable(self) ? PyLong_FromUnsignedLongLong(call.sn_world_hash(self->world)) : NULL;
}

static void world_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static PyMethodDef world_methods[] = {
    {"_attach", world_attach, METH_VARARGS, NULL},
    {"step", (PyCFunction)(void (*)(void))world_step, METH_FASTCALL,
     "step(n=1)\n--\n\nMakes n steps of all copies. Each has `substeps` substeps of `dt`."},
    {"hash", world_hash, METH_NOARGS,
     "hash()\n--\n\nA hash of all positions and velocities, bit by bit, for comparing runs."},
    {0},
};
static PyGetSetDef world_getset[] = {{"time", world_time, NULL, "Seconds that have been stepped.", NULL},
                                     {0}};
static PyType_Slot world_slots[] = {
    {Py_tp_methods, world_methods}, {Py_tp_getset, world_getset}, {Py_tp_dealloc, world_dealloc}, {0, NULL}};
static PyType_Spec world_spec = {"sinew._hot.World", sizeof(World), 0,
                                 Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, world_slots};

/* ---------------------------------------------------------------------------------------------------------- Member */

/* _attach(world, number, shapes, nq): shapes has one tuple for each field, copies included. */
static PyObject *member_attach(PyObject *object, PyObject *arguments) {
    Member *self = (Member *)object;
    PyObject *world, *shapes;
    unsigned long long number;
    int nq;
    if (!PyArg_ParseTuple(arguments, "OKO!i", &world, &number, &PyTuple_Type, &shapes, &nq)) return NULL;
    if (PyTuple_Size(shapes) != SN_FIELD_COUNT)
        return PyErr_Format(PyExc_ValueError, "shapes of all fields are needed");
    const size_t item = ((World *)world)->is_float ? sizeof(float) : sizeof(double);
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        PyObject *shape = PyTuple_GetItem(shapes, f);
        size_t bytes = item;
        for (Py_ssize_t i = 0; i < PyTuple_Size(shape); i++)
            bytes *= PyLong_AsSize_t(PyTuple_GetItem(shape, i));
        if (PyErr_Occurred()) return NULL;
        Py_INCREF(shape);
        replace(&self->shape[f], shape);
        self->bytes[f] = bytes;
    }
    self->row = (size_t)nq * sizeof(double);
    self->number = (member_number)number;
    Py_INCREF(world);
    replace((PyObject **)&self->world, world);
    Py_RETURN_NONE;
}

/* Fills memory of the caller with a field of all copies; true when it could. */
static int fetch(Member *self, sn_field field, char *bytes) {
    World *world = self->world;
    PyThreadState *state = NULL;
    if (world->long_calls) {
        world->busy = 1;
        state = PyEval_SaveThread();
    }
    const sn_status status = call.sn_world_take(world->world, self->number, field, bytes);
    if (state) {
        PyEval_RestoreThread(state);
        world->busy = 0;
    }
    if (status == SN_OK) return 1;
    Py_XDECREF(check(world, status));
    return 0;
}

/* An array of the caller's own that cannot be written to: its memory is an object of bytes. */
static PyObject *member_get(PyObject *object, void *closure) {
    Member *self = (Member *)object;
    const sn_field field = (sn_field)(uintptr_t)closure;
    if (!usable(self->world)) return NULL;
    PyObject *bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)self->bytes[field]), *array = NULL;
    if (bytes && fetch(self, field, PyBytes_AsString(bytes)))
        array = PyObject_CallFunctionObjArgs(ndarray, self->shape[field], dtypes[self->world->is_float],
                                             bytes, NULL);
    Py_XDECREF(bytes);
    return array;
}

static int put(Member *self, sn_field field, const void *values) {
    World *world = self->world;
    PyThreadState *state = NULL;
    if (world->long_calls) {
        world->busy = 1;
        state = PyEval_SaveThread();
    }
    const sn_status status = call.sn_world_put(world->world, self->number, field, NULL, values);
    if (state) {
        PyEval_RestoreThread(state);
        world->busy = 0;
    }
    if (status == SN_OK) return 0;
    Py_XDECREF(check(world, status));
    return -1;
}

/* Whether an object is an array of these values, without gaps; the caller releases the view if it is. */
static int plain(PyObject *value, char type, size_t bytes, Py_buffer *view) {
    if (!PyObject_CheckBuffer(value)) return 0;
    if (PyObject_GetBuffer(value, view, PyBUF_C_CONTIGUOUS | PyBUF_FORMAT)) {
        PyErr_Clear();
        return 0;
    }
    if ((size_t)view->len == bytes && view->format && view->format[0] == type && !view->format[1]) return 1;
    PyBuffer_Release(view);
    return 0;
}

static const char *const rules[] = {
#define X(name, size, rule) #rule,
    SN_FIELD_MAP(X)
#undef X
};

static int member_set(PyObject *object, PyObject *value, void *closure) {
    Member *self = (Member *)object;
    const sn_field field = (sn_field)(uintptr_t)closure;
    Py_buffer view;
    if (!value) {
        PyErr_SetString(PyExc_AttributeError, "fields of a member cannot be deleted");
        return -1;
    }
    if (!usable(self->world)) return -1;
    const char type = self->world->is_float ? 'f' : 'd';
    PyObject *made = NULL;
    if (!strcmp(rules[field], "READ_ONLY") || !plain(value, type, self->bytes[field], &view)) {
        made = PyObject_CallFunction(coerce, "OiO", object, (int)field, value);
        if (!made) return -1;
        if (!plain(made, type, self->bytes[field], &view)) {
            Py_DECREF(made);
            PyErr_SetString(PyExc_TypeError, "these values cannot be converted");
            return -1;
        }
    }
    const int result = put(self, field, view.buf);
    PyBuffer_Release(&view);
    Py_XDECREF(made);
    return result;
}

/* `target`: a pose to be reached at rest. One row of doubles goes to all copies at once. */
static int member_set_target(PyObject *object, PyObject *value, void *closure) {
    Member *self = (Member *)object;
    Py_buffer view;
    (void)closure;
    if (value && usable(self->world) && plain(value, 'd', self->row, &view)) {
        const sn_status status =
            call.sn_world_set_target(self->world->world, self->number, (const double *)view.buf, NULL);
        PyBuffer_Release(&view);
        if (status == SN_OK) return 0;
        Py_XDECREF(check(self->world, status));
        return -1;
    }
    if (PyErr_Occurred()) return -1;
    PyObject *done = value ? PyObject_CallMethod(object, "_set_target", "O", value) : NULL;
    if (!value) PyErr_SetString(PyExc_AttributeError, "fields of a member cannot be deleted");
    Py_XDECREF(done);
    return done ? 0 : -1;
}

static int member_traverse(PyObject *object, visitproc visit, void *arg) {
    Py_VISIT(Py_TYPE(object));
    Py_VISIT((PyObject *)((Member *)object)->world);
    return 0;
}

static int member_clear(PyObject *object) {
    Py_CLEAR(((Member *)object)->world);
    return 0;
}

static void member_dealloc(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    member_clear(object);
    for (int f = 0; f < SN_FIELD_COUNT; f++)
        Py_CLEAR(((Member *)object)->shape[f]);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(object);
    Py_DECREF(type);
}

static PyMethodDef member_methods[] = {{"_attach", member_attach, METH_VARARGS, NULL}, {0}};
static PyGetSetDef member_getset[SN_FIELD_COUNT + 2] = {
#define X(name, size, rule) {#name, member_get, member_set, NULL, (void *)(uintptr_t)SN_FIELD_##name},
    SN_FIELD_MAP(X)
#undef X
        {"target", member_get, member_set_target, NULL, (void *)(uintptr_t)SN_FIELD_TARGET_Q},
};
static PyType_Slot member_slots[] = {{Py_tp_methods, member_methods}, {Py_tp_getset, member_getset},
                                     {Py_tp_dealloc, member_dealloc}, {Py_tp_traverse, member_traverse},
                                     {Py_tp_clear, member_clear},     {0, NULL}};
static PyType_Spec member_spec = {"sinew._hot.Member", sizeof(Member), 0,
                                  Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
                                  member_slots};

/* ---------------------------------------------------------------------------------------------------------- module */

static void keep(PyObject **place, PyObject *object) {
    Py_XINCREF(object);
    replace(place, object);
}

/* bind(addresses, ndarray, dtypes, failed, coerce, closed) */
static PyObject *bind(PyObject *module, PyObject *arguments) {
    PyObject *addresses, *array, *of_double, *of_float, *raise, *convert, *gone;
    (void)module;
    if (!PyArg_ParseTuple(arguments, "O!O(OO)OOO", &PyDict_Type, &addresses, &array, &of_double, &of_float,
                          &raise, &convert, &gone))
        return NULL;
#define X(name)                                                                                              \
    {                                                                                                        \
        PyObject *at = PyDict_GetItemString(addresses, #name);                                               \
        if (!at) return PyErr_Format(PyExc_KeyError, "%s", #name);                                           \
        call.name = (__typeof__(name) *)(uintptr_t)PyLong_AsUnsignedLongLong(at);                            \
        if (PyErr_Occurred()) return NULL;                                                                   \
    }
    FUNCTIONS(X)
#undef X
    keep(&ndarray, array);
    keep(&dtypes[0], of_double);
    keep(&dtypes[1], of_float);
    keep(&failed, raise);
    keep(&coerce, convert);
    keep(&closed, gone);
    Py_RETURN_NONE;
}

static PyMethodDef module_methods[] = {{"bind", bind, METH_VARARGS, NULL}, {0}};
static struct PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT, "_hot", NULL, -1, module_methods, NULL, NULL, NULL, NULL};

/* "SN_FIELD_TARGET_Q" is `target_q` in Python. */
static void lower_names(void) {
    static char names[SN_FIELD_COUNT][32];
    for (int f = 0; f < SN_FIELD_COUNT; f++) {
        const char *from = member_getset[f].name;
        for (size_t i = 0; from[i] && i + 1 < sizeof names[f]; i++)
            names[f][i] = from[i] == '_' ? '_' : (char)(from[i] | 32);
        member_getset[f].name = names[f];
    }
}

PyMODINIT_FUNC PyInit__hot(void) {
    PyObject *module = PyModule_Create(&module_def);
    if (!module) return NULL;
    lower_names();
    PyObject *world = PyType_FromSpec(&world_spec), *member = PyType_FromSpec(&member_spec),
             *names = PyTuple_New(0);
#define X(name)                                                                                              \
    {                                                                                                        \
        PyObject *one = Py_BuildValue("(s)", #name), *more = one ? PySequence_Concat(names, one) : NULL;     \
        Py_XDECREF(one);                                                                                     \
        replace(&names, more);                                                                               \
    }
    FUNCTIONS(X)
#undef X
    if (!world || !member || !names || PyModule_AddObject(module, "World", world) ||
        PyModule_AddObject(module, "Member", member) || PyModule_AddObject(module, "FUNCTIONS", names)) {
        Py_DECREF(module);
        return NULL;
    }
    PyModule_AddIntConstant(module, "FIELD_COUNT", SN_FIELD_COUNT);
    return module;
}

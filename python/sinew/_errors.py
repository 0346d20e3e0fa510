"""What the library refuses, as classes of exceptions."""


class Error(Exception):
    """Base of all errors of this package."""


class ArgumentError(Error, ValueError):
    """An argument is not valid; nothing was changed."""


class ModelError(Error, ValueError):
    """A model is not valid. The message names the body or joint."""


class TooLargeError(Error, ValueError):
    """A limit of the library is exceeded."""


class OutOfMemoryError(Error, MemoryError):
    """The library could not allocate memory."""


class UnsupportedError(Error, NotImplementedError):
    """This build of the library or this machine cannot do it."""


class DivergedError(Error, ArithmeticError):
    """No member of any copy moves any more: the state stopped being finite."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class FormatError(Error, ValueError):
    """A file or text is not in the format that it should be in. The message names the line."""


class ClosedError(Error, RuntimeError):
    """The object is closed, or another thread uses it at the moment."""


class SinewWarning(UserWarning):
    """Something that a reader passed over."""


BY_STATUS = {
    "SN_ERROR_ARGUMENT": ArgumentError,
    "SN_ERROR_MEMORY": OutOfMemoryError,
    "SN_ERROR_MODEL": ModelError,
    "SN_ERROR_TOO_LARGE": TooLargeError,
    "SN_ERROR_UNSUPPORTED": UnsupportedError,
    "SN_ERROR_NOT_FINITE": DivergedError,
    "SN_ERROR_FILE": FileError,
    "SN_ERROR_FORMAT": FormatError,
}

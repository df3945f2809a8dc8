"""Stands in for the module of this name, which Python 3.12 has dropped: loading a module from a file, as old models do."""

import importlib
import importlib.machinery
import importlib.util
import sys

reload = importlib.reload


def load_source(name, pathname, file=None):
    return _load(name, importlib.machinery.SourceFileLoader(name, pathname), pathname)


def load_compiled(name, pathname, file=None):
    return _load(name, importlib.machinery.SourcelessFileLoader(name, pathname), pathname)


def _load(name, loader, pathname):
    spec = importlib.util.spec_from_file_location(name, pathname, loader=loader)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        loader.exec_module(module)
    except BaseException:
        sys.modules.pop(name, None)
        raise
    return sys.modules[name]

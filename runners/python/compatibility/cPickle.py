"""Stands in for the module of this name, which is Python 3's pickle: models written for both import it."""

from pickle import *

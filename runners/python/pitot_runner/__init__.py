"""The runner for models in Python: standard library alone, Python 3.9 or newer."""

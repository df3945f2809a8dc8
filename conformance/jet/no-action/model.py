def react(x):
    yield x

def action(x):
    yield x * x

def action(x):
    return x

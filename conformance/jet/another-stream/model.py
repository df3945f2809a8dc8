def action(x):
    return x / 2

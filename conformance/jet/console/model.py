def action(x):
    print('seen', x)
    yield x

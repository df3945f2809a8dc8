def action(x):
    for _ in range(x):
        yield 'é'

count = 0
total = 0


def begin():
    yield -1
    yield -2
    yield -3


def action(x):
    global count, total
    count += 1
    total += x
    yield count


def end():
    yield count
    yield total

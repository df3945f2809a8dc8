def action(x):
    yield (3, 'seen')
    yield (1, -x)


def other(text, slot, number):
    yield (3, '%s %d %d' % (text, slot, number))

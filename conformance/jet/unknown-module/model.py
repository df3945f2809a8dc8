import nowhereToBeFound


def action(x):
    yield x

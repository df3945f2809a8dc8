import pitot


def begin():
    pitot.cells('total').set(0)


def action(x):
    pitot.cells('total').update(lambda total: total + x)
    yield pitot.pools('names').get('k')

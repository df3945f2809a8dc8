def action(x):
    # What is emitted before it raises is dropped with the record.
    yield x
    if x < 0:
        raise ValueError('negative')

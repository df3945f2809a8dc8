def action(x):
    huge = x * 1e308 * 10
    return {'up': huge, 'down': [-huge], 'none': huge - huge, 'text': 'NaN'}

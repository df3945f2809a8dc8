# Works on a DataFrame as on the list that stands in for it where pandas is not installed.
def action(given):
    rows = given if isinstance(given, list) else given.to_dict('records')
    yield [{'sum': row['x'] + row['y']} for row in rows]

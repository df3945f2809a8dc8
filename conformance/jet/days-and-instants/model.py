from datetime import datetime, timedelta, timezone


def action(days):
    instant = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(days=days, microseconds=1500)
    texts = {'day_text': instant.date(), 'empty': None}
    return {'day': instant.date(), 'millis': instant, 'micros': instant, 'midnight': instant.date(), **texts}

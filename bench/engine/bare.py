# What a user would write instead of an engine: reads a file again and again, scores each line and writes it.
#   python3 bare.py model.py input output
# Prints the number of records written so far, about a hundred times a second.
import json
import sys
import time

model, source, target = sys.argv[1:]
names = {}
exec(compile(open(model).read(), model, "exec"), names)
action = names["action"]

records = 0
told = time.monotonic()
with open(target, "w") as out:
    while True:
        with open(source) as lines:
            for line in lines:
                for score in action(json.loads(line)):
                    out.write(json.dumps(score))
                    out.write("\n")
                records += 1
                if records % 100 == 0 and time.monotonic() - told > 0.01:
                    told = time.monotonic()
                    print(records, flush=True)

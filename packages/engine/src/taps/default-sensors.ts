// The sensors that every engine has from its first start on: how much goes in and out, and how much of it is rejected.

const watched = ['records.size', 'records.rejected.by.encoding', 'records.count', 'records.rejected.by.schema']

export const defaultSensors: readonly object[] = [1, 0].flatMap((slot) =>
  watched.map((point) => ({
    Tap: `manifold.${slot}.${point}`,
    Activate: { Type: 'permanent' },
    Report: { Interval: 2 },
    Filter: null,
    Aggregate: 'sum',
  })),
)

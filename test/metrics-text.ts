// Prometheus text: what `/metrics` of a service says comes in, its families go out.

export interface Family {
  readonly name: string
  readonly type: string
  readonly help: string
  /** Of all its series; `le` of a histogram is not one. */
  readonly labels: ReadonlySet<string>
  readonly series: number
}

export function familiesOf(text: string): Family[] {
  return text
    .split(/^# HELP /m)
    .slice(1)
    .map((part) => {
      const [first, second, ...samples] = part.trimEnd().split('\n')
      const [, name, help] = /^(\S+) (.+)$/.exec(first!)!
      const type = /^# TYPE \S+ (\w+)$/.exec(second!)![1]!
      const labels = samples.flatMap((sample) => [...sample.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!))
      return {
        name: name!,
        type,
        help: help!,
        labels: new Set(labels.filter((label) => type !== 'histogram' || label !== 'le')),
        series: samples.length,
      }
    })
}

/** The names under which samples of a family are asked for. */
export function sampleNames({ name, type }: Family): string[] {
  return type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]
}

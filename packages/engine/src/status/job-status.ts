// What the job looks like outside: its report comes in, the sections that were asked for go out.
import type { JobReport, StreamReport } from '../job/control.ts'

const sections = {
  input: ({ input }: JobReport) => input && stream(input),
  output: ({ output }: JobReport) => output && stream(output),
  model: ({ model }: JobReport) => model && { ...model, attachments: [...model.attachments] },
  jets: ({ jets }: JobReport) =>
    jets.map(({ pid, sandbox, total_consumed, total_produced, run_time, memory, busy, isolation }) => ({
      pid,
      sandbox,
      total_consumed,
      total_produced,
      run_time,
      memory,
      busy,
      isolation: [...isolation],
    })),
  slots: ({ slots }: JobReport) => slots.map((slot) => ({ ...slot, stream: slot.stream && stream(slot.stream) })),
  state: ({ state }: JobReport) => state.toLowerCase(),
  reason: ({ reason }: JobReport) => reason ?? null,
  snapshots: ({ model }: JobReport) => model?.snapshots ?? 'none',
  restarts: ({ restarts }: JobReport) => ({ ...restarts, last: restarts.last ?? null }),
  shared_state: ({ sharedState }: JobReport) => ({ ...sharedState }),
}

export type Section = keyof typeof sections

type Status = { -readonly [Name in Section]?: ReturnType<(typeof sections)[Name]> }

/** All sections when none are named. */
export function jobStatus(report: JobReport, wanted: readonly Section[] = Object.keys(sections) as Section[]): Status {
  return Object.fromEntries(wanted.map((section) => [section, sections[section](report)]))
}

function stream({ name, record_bytes: _, ...rest }: StreamReport) {
  return { name: name ?? null, ...rest }
}

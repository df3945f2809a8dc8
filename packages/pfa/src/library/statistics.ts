// The library modules `stat.sample`, `stat.test` and `stat.change`, by theme.
import type { LibraryModule } from './library.ts'
import { change } from './statistics/change.ts'
import { forecast } from './statistics/forecast.ts'
import { histogram } from './statistics/histogram.ts'
import { sample } from './statistics/sample.ts'
import { test } from './statistics/test.ts'

export const statistics: LibraryModule = { ...sample, ...forecast, ...histogram, ...test, ...change }

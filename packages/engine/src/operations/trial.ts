// The operation that tries a model beside the job.
import type { engineOperations, Handlers } from '@pitot/api'
import type { PackageContext } from '../model/read-package.ts'
import type { Trials } from '../trial/trials.ts'

type TrialHandlers = Pick<Handlers<typeof engineOperations>, 'tryModel'>

export function trialHandlers(trials: Trials, packages: PackageContext): TrialHandlers {
  return {
    async tryModel({ body, signal }) {
      const report = await trials.run(body.chunks, packages, signal)
      return { status: 200, body: Buffer.from(report), type: 'text/plain; charset=utf-8' }
    },
  }
}

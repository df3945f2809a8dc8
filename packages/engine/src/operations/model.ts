// Operations on the model of the job.
import type { engineOperations, Handlers } from '@pitot/api'
import type { JobControl } from '../job/control.ts'
import { type PackageContext, readModelPackage } from '../model/read-package.ts'
import { warningHeaders } from './warnings.ts'

type ModelHandlers = Pick<Handlers<typeof engineOperations>, 'putJobModel' | 'deleteJobModel'>

export function modelHandlers(job: JobControl, packages: PackageContext): ModelHandlers {
  return {
    async putJobModel({ headers, body, query }) {
      const model = await readModelPackage({ headers, chunks: body.chunks }, packages)
      const dryRun = query['dry-run'] ?? false
      const { slots, snapshots, warnings } = await job.loadModel(model, { dryRun })
      if (!dryRun) return { status: 204, ...warningHeaders(warnings) }
      const verified = {
        slots: slots.map(({ slot, schema = null, recordsets, action }) => ({ slot, schema, recordsets, action })),
        // Models import what their interpreter and their attachments have: nothing is installed for them.
        install_libs: [],
        warn_libs: [],
        attach_libs: [],
        snapshots,
        warnings: [...warnings],
      }
      return { status: 200, body: verified, ...warningHeaders(warnings) }
    },

    async deleteJobModel() {
      await job.unloadModel()
      return { status: 204 }
    },
  }
}

import { discard } from '../../src/transports/discard.ts'
import { transportContract } from './contract.ts'

transportContract({ transport: discard, output: async () => ({ options: {}, received: async () => [] }) })

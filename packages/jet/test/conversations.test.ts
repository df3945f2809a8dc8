// The conversations of conformance/jet, played against every runner in every language that has the model.
import { fileURLToPath } from 'node:url'
import { describe, test } from 'vitest'
import { runnerFor } from '../../engine/src/jets/runners.ts'
import { hasModel, play, readConversations } from './conversation.ts'

const conversations = readConversations(fileURLToPath(new URL('../../../conformance/jet', import.meta.url)))

const languages = [
  ['python3', 'model.py'],
  ['r', 'model.R'],
  ['javascript', 'model.mjs'],
  ['typescript', 'model.ts'],
  ['pfa-json', 'model.pfa.json'],
] as const

describe.each(languages)('%s', async (language, file) => {
  const settings = { memory: 2 ** 30, timeout: 30, network: false, isolation: 'none' } as const
  const found = await runnerFor(language, settings).catch((error: Error) => error)
  const own = conversations.filter((conversation) => hasModel(conversation, file))

  test.for(own)('$name', async (conversation, { skip }) => {
    if (found instanceof Error) return skip(found.message)
    await play(conversation, language, file, found)
  })
})

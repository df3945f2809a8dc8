import { expect, test } from 'vitest'
import { isNotificationType, notificationTypes } from '../src/notifications.ts'

test('the types are those that clients know', () => {
  expect(notificationTypes).toEqual([
    'health',
    'log',
    'model-console',
    'output-report',
    'jet-status-report',
    'rejected-data-report',
    'output-eof',
    'sensor-report',
    'engine-state',
    'engine-config',
    'model-error',
    'metadata-event',
  ])
})

test.each([
  ['log', true],
  ['Log', false],
  ['toString', false],
  ['', false],
  [undefined, false],
])('%j is a type: %j', (word, expected) => {
  expect(isNotificationType(word)).toBe(expected)
})

import { describe, expect, test } from 'vitest'
import { CommandFailure, fileFailure, lastWords, listenFailure } from '../src/failures.ts'

function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: as the system says it`), { code })
}

describe('a service that cannot listen', () => {
  const where = { host: '10.0.0.1', port: 8001, option: '--connect-port' }
  const rows: [code: string, exitCode: number, sentence: string][] = [
    ['EADDRINUSE', 1, 'port 8001 on 10.0.0.1 is in use; choose another with --connect-port, or 0 for any free one'],
    ['EACCES', 1, 'port 8001 is not open to this user; choose another with --connect-port'],
    ['EADDRNOTAVAIL', 78, '10.0.0.1 is no address of this machine; choose another with --host'],
    ['ENOTFOUND', 78, '10.0.0.1 is no address of this machine; choose another with --host'],
  ]
  test.for(rows)('because of %s ends with %i and names the option', ([code, exitCode, sentence]) => {
    expect(lastWords(listenFailure(systemError(code), where))).toEqual({ exitCode, sentence })
  })

  test('any other error stays what it is', () => {
    const error = new Error('another')
    expect(listenFailure(error, where)).toBe(error)
  })
})

describe('a file or folder that cannot be used', () => {
  const reasons: Record<string, string> = {
    ENOENT: 'it is not there',
    EACCES: 'permission denied',
    EPERM: 'permission denied',
    EROFS: 'the file system is read-only',
    ENOTDIR: 'a part of the path is a file',
    EEXIST: 'there is a file of that name',
    EISDIR: 'it is a folder',
    ENOSPC: 'the disk is full',
    EIO: 'EIO: as the system says it',
  }
  test.for(Object.entries(reasons))('because of %s: %s', ([code, reason]) => {
    const failure = fileFailure(systemError(code), 'the data folder', '/x', '--data')
    expect(failure.message).toBe(`the data folder /x cannot be used: ${reason}; see --data`)
    expect(failure.exitCode).toBe(78)
  })
})

describe('the last words', () => {
  const rows: [name: string, thrown: unknown, sentence: string, exitCode: number][] = [
    ['of a failure of the command', new CommandFailure('so it is'), 'so it is', 78],
    ['of one with its own exit code', new CommandFailure('so it is', 1), 'so it is', 1],
    ['of any error', new Error('a reason'), 'a reason', 1],
    ['of an error of the system', systemError('ECONNREFUSED'), 'nothing listens there (connection refused)', 1],
    ['of an error without a message', Object.assign(new Error(''), { code: 'EODD' }), 'EODD', 1],
    ['of a text', 'just a text', 'just a text', 1],
  ]
  test.for(rows)('%s', ([_, thrown, sentence, exitCode]) => {
    expect(lastWords(thrown)).toEqual({ sentence, exitCode })
  })
})

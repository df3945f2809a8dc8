// Models that do harm: what costs a record costs a record, what kills the process is told at once, and nothing outlives it.
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { JetDeath } from '@pitot/jet'
import { expect, test } from 'vitest'
import { describeR, RJet } from './r-jet.ts'

const numbers = Array.from({ length: 300 }, (_, at) => at + 1)

/** Processes that are alive and whose command line has this text in it. */
function processesWith(text: string): number[] {
  const isOne = (name: string): boolean => {
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').includes(text)
    } catch {
      return false
    }
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOne(name))
    .map(Number)
}

async function deathOf(jet: RJet, ...values: unknown[]): Promise<JetDeath> {
  const death = await jet.score(values).catch((error: unknown) => error)
  expect(death).toBeInstanceOf(JetDeath)
  await jet.jet.gone
  return death as JetDeath
}

describeR('what costs a record', () => {
  test('raising on every 97th', async () => {
    const jet = await RJet.start('action <- function(x) { if (x %% 97 == 0) stop("97"); emit(x) }')
    const { values, rejects } = await jet.score(numbers)
    expect(rejects.map(({ index }) => index)).toEqual([96, 193, 290])
    expect(values).toEqual(numbers.filter((number) => number % 97 !== 0))
  })

  test('allocating more than a jet may have', async () => {
    const jet = await RJet.start('action <- function(x) { if (x == 2) y <- numeric(1e9); emit(x) }')
    const { values, rejects } = await jet.score([1, 2, 3])
    expect(values).toEqual([1, 3])
    expect(rejects).toMatchObject([{ index: 1, step: 'model' }])
    expect(rejects[0]!.reason).toContain('memory')
  })

  test('allocating without end', async () => {
    const jet = await RJet.start(`
      action <- function(x) {
        pieces <- list()
        if (x == 2) repeat pieces[[length(pieces) + 1]] <- numeric(1e6)
        emit(x)
      }
    `)
    const { values, rejects } = await jet.score([1, 2, 3])
    expect(values).toEqual([1, 3])
    expect(rejects).toMatchObject([{ index: 1, step: 'model' }])
  })

  test.each([
    ['children of the library', 'parallel::mccollect(parallel::mcparallel(x * 2))[[1]]'],
    ['children that come back', '{ parallel:::mcfork(); x * 2 }'],
    ['commands', 'as.numeric(system(paste0("echo $((", x, " * 2))"), intern = TRUE))'],
    ['commands that read', '{ system("cat"); x * 2 }'],
    ['commands that stay', '{ system("sleep 98765 &"); x * 2 }'],
    ['commands that write to every descriptor', '{ for (fd in 3:9) system(paste0("echo garbage >&", fd)); x * 2 }'],
    [
      'other ways to commands',
      '{ y <- readLines(p <- pipe("echo 2; echo garbage >&6")); close(p); system2("sh", c("-c", "\'echo >&6\'")); x * as.numeric(y) }',
    ],
    [
      'commands with options',
      'x * as.numeric(system2("cat", input = "2", stdout = TRUE)) + system("false", ignore.stdout = TRUE) - 1',
    ],
    ['models that read', '{ readLines(file("stdin")); readline(); x * 2 }'],
    ['models that close what is open', '{ file("model.R", "r"); sink("out.txt"); closeAllConnections(); x * 2 }'],
    ['models that print to a sink', '{ sink("out.txt"); print(x); sink(); x * 2 }'],
    ['models with limits of time', '{ setTimeLimit(elapsed = 100); x * 2 }'],
    ['models with other options', '{ options(warn = 2, digits = 3, OutDec = ","); x * 2 }'],
    ['models that move', '{ setwd(tempdir()); x * 2 }'],
  ])('%s do no harm', async (_, expression) => {
    const jet = await RJet.start(`action <- function(x) emit(${expression})`)
    expect(await jet.score([1, 2, 3])).toMatchObject({ values: [2, 4, 6], rejects: [] })
    expect(await jet.score([4])).toMatchObject({ values: [8], rejects: [] })
    const { pid } = jet.jet
    await jet.jet.stop()
    expect(processesWith('sleep 98765')).toEqual([])
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

describeR('what ends the process', () => {
  test.each([
    ['quit', 'quit(save = "no", status = 3)', 'exit', 'ended with status 3'],
    ['q', 'q("no")', 'exit', 'ended with status 0'],
    ['a fault in memory', 'tools::pskill(Sys.getpid(), 11)', 'signal', 'SIGSEGV'],
    ['a kill', 'tools::pskill(Sys.getpid(), 9)', 'signal', 'SIGKILL'],
  ])('%s', async (_, code, kind, words) => {
    const jet = await RJet.start(`action <- function(x) { if (x == 2) ${code}; emit(x) }`)
    expect((await jet.score([1])).values).toEqual([1])
    const death = await deathOf(jet, 1, 2, 3)
    expect(death.kind).toBe(kind)
    expect(death.message).toContain(words)
  })

  test('what was answered before the end is not lost', async () => {
    const jet = await RJet.start('action <- function(x) { if (x == 2) quit(save = "no"); emit(x) }')
    const [first, second] = await Promise.allSettled([jet.score([1]), jet.score([2])])
    expect(first).toMatchObject({ status: 'fulfilled', value: { values: [1] } })
    expect(second.status).toBe('rejected')
  })

  test('hanging', async () => {
    const jet = await RJet.start('action <- function(x) repeat {}', { timeout: 1 })
    expect((await deathOf(jet, 1)).kind).toBe('hang')
  })

  test('quitting while the model loads', async () => {
    const jet = await RJet.open('quit(save = "no")')
    await expect(jet.load()).rejects.toBeInstanceOf(JetDeath)
  })

  test('children and files that are left', async () => {
    const jet = await RJet.start('action <- function(x) { system("sleep 87654 &"); quit(save = "no") }')
    await deathOf(jet, 1)
    await sleep(100)
    expect(processesWith('sleep 87654')).toEqual([])
  })
})

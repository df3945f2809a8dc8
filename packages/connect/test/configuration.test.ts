import { PitotError } from '@pitot/api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readConfiguration } from '../src/configuration.ts'

/** A configuration with these lines as entries of its fleet; the first entry is on line 3. */
function fleetOf(...entries: string[]): string {
  return `pitot:\n  fleet:\n${entries.map((entry) => `    - ${entry}\n`).join('')}`
}

interface Good {
  readonly given: string
  readonly top?: string
  readonly names?: readonly string[]
  readonly sections?: Record<string, unknown>
}

const good: Record<string, Good> = {
  'the example of the interface': {
    given: `pitot:
  fleet:
    - api: model-manage
      host: mm.example.org
      port: 8002
    - api: engine
      host: 127.0.0.1
      port: 8003
  db:
    type: mysql
    host: 127.0.0.1
    port: 3306
    username: root
    password: root
`,
    top: 'pitot',
    names: ['model-manage-1', 'engine-1'],
    sections: {
      fleet: [
        { api: 'model-manage', host: 'mm.example.org', port: 8002 },
        { api: 'engine', host: '127.0.0.1', port: 8003 },
      ],
      db: { type: 'mysql', host: '127.0.0.1', port: 3306, username: 'root', password: 'root' },
    },
  },
  'any word as top key': {
    given: 'fastscore:\n  fleet:\n    - { api: engine, host: a, port: 1 }\n',
    top: 'fastscore',
    names: ['engine-1'],
  },
  'a number as top key': { given: '1.3:\n  fleet: []\n', top: '1.3', names: [] },
  'a top key that is a name of JavaScript': { given: '__proto__:\n  fleet: []\n', top: '__proto__', names: [] },
  'JSON instead of YAML': {
    given: '{"service": {"fleet": [{"api": "engine", "host": "a", "port": 8003}], "db": {"type": "sqlite"}}}',
    top: 'service',
    names: ['engine-1'],
    sections: { fleet: [{ api: 'engine', host: 'a', port: 8003 }], db: { type: 'sqlite' } },
  },
  'ports as quoted texts': {
    given: 'pitot:\n  fleet:\n    - { api: engine, host: a, port: \'8003\' }\n  db: { type: mysql, port: "3306" }\n',
    names: ['engine-1'],
    sections: { fleet: [{ api: 'engine', host: 'a', port: 8003 }], db: { type: 'mysql', port: 3306 } },
  },
  'names are counted per api in the order of the file': {
    given: fleetOf(
      '{ api: engine, host: a, port: 1 }',
      '{ api: model-manage, host: a, port: 2 }',
      '{ api: engine-x, host: a, port: 3 }',
      '{ api: engine, host: a, port: 4 }',
      '{ api: engine-x, host: a, port: 5 }',
    ),
    names: ['engine-1', 'model-manage-1', 'engine-x-1', 'engine-2', 'engine-x-2'],
  },
  'a given name is used, and its entry counts all the same': {
    given: fleetOf('{ api: engine, host: a, port: 1, name: blue }', '{ api: engine, host: a, port: 2 }'),
    names: ['blue', 'engine-2'],
  },
  'an anchor and its aliases': {
    given: fleetOf('{ api: &kind engine, host: &host a, port: 1 }', '{ api: *kind, host: *host, port: 2 }'),
    names: ['engine-1', 'engine-2'],
    sections: {
      fleet: [
        { api: 'engine', host: 'a', port: 1 },
        { api: 'engine', host: 'a', port: 2 },
      ],
    },
  },
  'an alias stands for the last anchor before it': {
    given: fleetOf(
      '{ api: &kind engine, host: a, port: 1 }',
      '{ api: *kind, host: a, port: 2 }',
      '{ api: &kind connect, host: a, port: 3 }',
      '{ api: *kind, host: a, port: 4 }',
    ),
    names: ['engine-1', 'engine-2', 'connect-1', 'connect-2'],
  },
  'an alias of a whole list': {
    given: 'pitot:\n  pneumo: { type: kafka, bootstrap: &hosts [a:1, b:2] }\n',
    sections: { pneumo: { type: 'kafka', bootstrap: ['a:1', 'b:2'] } },
  },
  'words in any case': {
    given: 'pitot:\n  db: { type: SQLite }\n  pneumo: { type: rest }\n',
    sections: { db: { type: 'sqlite' }, pneumo: { type: 'REST' } },
  },
  'a password that looks like a number is a text': {
    given: 'pitot:\n  db: { type: mysql, username: 1e3, password: 0123 }\n',
    sections: { db: { type: 'mysql', username: '1e3', password: '0123' } },
  },
  'an IPv6 address and a name with an underscore': {
    given: fleetOf("{ api: engine, host: '::1', port: 1 }", '{ api: engine, host: my_engine.local, port: 65535 }'),
    names: ['engine-1', 'engine-2'],
  },
  'a scheme': {
    given: fleetOf('{ api: engine, host: a, port: 1, scheme: https }'),
    names: ['engine-1'],
    sections: { fleet: [{ api: 'engine', host: 'a', port: 1, scheme: 'https' }] },
  },
  'no section at all': { given: 'pitot: {}', names: [], sections: {} },
  'windows line ends and a byte order mark': {
    given: '\uFEFFpitot:\r\n  fleet:\r\n    - api: engine\r\n      host: a\r\n      port: 1\r\n',
    names: ['engine-1'],
    sections: { fleet: [{ api: 'engine', host: 'a', port: 1 }] },
  },
  'comments and a document marker': { given: '# ours\n---\npitot: # all of it\n  fleet: [] # none\n', names: [] },
}

describe('a good configuration is read', () => {
  for (const [name, { given, top, names, sections }] of Object.entries(good)) {
    test(name, () => {
      const configuration = readConfiguration(given)
      expect(configuration.text).toBe(given)
      if (top !== undefined) expect(configuration.top).toBe(top)
      if (names !== undefined) expect(configuration.fleet.map((member) => member.name)).toEqual(names)
      if (sections !== undefined) expect(configuration.sections).toEqual(sections)
    })
  }
})

const memberKeys = 'api, host, port, name, scheme'
const databaseKeys = 'type, host, port, username, password, database'
const anyTop = 'the configuration must have one top key, such as `pitot:`'
const nobody = '{ api: engine, host: a, port: 1 }'
const laughs = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']
const lists = laughs.map((name, index) => {
  const before = index === 0 ? 'lol' : `*${laughs[index - 1]}`
  return `  ${name}: &${name} [${Array(14).fill(before).join(', ')}]\n`
})

const bad: Record<string, readonly [given: string, line: number, reason: string]> = {
  // Not a mapping with one key
  'nothing at all': ['', 1, anyTop],
  'only white space': ['  \n\n', 1, anyTop],
  'only a comment': ['# later\n', 1, anyTop],
  'a scalar': ['pitot', 1, anyTop],
  'a list': ['- pitot\n- fleet\n', 1, anyTop],
  'an empty mapping': ['{}', 1, 'the configuration is empty'],
  'an empty top key': ['pitot:\n', 1, 'pitot must have entries (fleet, db, pneumo), but is empty'],
  'a top key with a text': ['pitot: here', 1, "pitot must have entries (fleet, db, pneumo), but is 'here'"],
  'a top key with a list': ['pitot:\n  - fleet\n', 2, 'pitot must have entries (fleet, db, pneumo), but is a list'],
  'two top keys': [
    'pitot:\n  fleet: []\nother:\n  fleet: []\n',
    3,
    'the configuration has a second top key other; there must be only one',
  ],
  'two documents': ['a: {}\n---\nb: {}\n', 2, 'a second document begins here; there must be only one'],
  // Not YAML
  'a tab as indentation': ['pitot:\n\tfleet: []\n', 2, 'tabs are not allowed as indentation'],
  'a quote that is not closed, missed where the text ends': ['pitot:\n  fleet: "abc\n', 3, 'missing closing "quote'],
  'a bracket that is not closed': [
    'pitot:\n  fleet: [',
    2,
    'flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  'a key without a colon': ['pitot:\n  fleet: []\n  db\n', 3, 'implicit map keys need to be followed by map values'],
  'an unknown tag': ['pitot: !cluster {}', 1, 'unresolved tag: !cluster'],
  'an unknown version of YAML': ['%YAML 1.3\n---\npitot: {}\n', 1, 'unsupported YAML version 1.3'],
  'a key that is a list': ['? [a]\n: {}\n', 1, 'a key must be a text'],
  'a key that is an alias': ['pitot:\n  fleet: &a []\n  *a : x\n', 3, 'a key must be a text'],
  'JSON with a fault': [
    '{"pitot": {\n  "fleet": [}\n}}',
    2,
    'flow sequence in block collection must be sufficiently indented and end with a ]',
  ],
  // Keys
  'a top key given twice': ['pitot: {}\npitot: {}\n', 2, "the key 'pitot' is there twice"],
  'a section given twice': ['pitot:\n  fleet: []\n  fleet: []\n', 3, "the key 'fleet' is there twice"],
  'a key of an entry given twice': [
    'pitot:\n  fleet:\n    - api: engine\n      host: a\n      port: 1\n      host: b\n',
    6,
    "the key 'host' is there twice",
  ],
  'a misspelt section': [
    'pitot:\n  flet: []\n',
    2,
    "pitot has no key 'flet'; did you mean 'fleet'?; known: fleet, db, pneumo",
  ],
  'a section like no other': [
    'pitot:\n  kubernetes: {}\n',
    2,
    "pitot has no key 'kubernetes'; known: fleet, db, pneumo",
  ],
  'a section with a name of JavaScript': [
    'pitot:\n  __proto__: []\n',
    2,
    "pitot has no key '__proto__'; known: fleet, db, pneumo",
  ],
  'a misspelt key of an entry': [
    'pitot:\n  fleet:\n    - api: engine\n      hots: a\n      port: 1\n',
    4,
    `fleet entry 1 has no key 'hots'; did you mean 'host'?; known: ${memberKeys}`,
  ],
  'a merge key': ['pitot:\n  <<: { fleet: [] }\n', 2, "pitot has no key '<<'; known: fleet, db, pneumo"],
  // The fleet
  'a fleet that is a text': ['pitot:\n  fleet: all\n', 2, "fleet must be a list, but is 'all'"],
  'a fleet that is empty': ['pitot:\n  fleet:\n  db: { type: sqlite }\n', 2, 'fleet must be a list, but is empty'],
  'a fleet that is a mapping': ['pitot:\n  fleet:\n    api: engine\n', 3, 'fleet must be a list, but is a mapping'],
  'an entry that is a text': [fleetOf('engine'), 3, `fleet entry 1 must have entries (${memberKeys}), but is 'engine'`],
  'an entry that is empty': [fleetOf(nobody, ''), 4, `fleet entry 2 must have entries (${memberKeys}), but is empty`],
  'an entry without api': [fleetOf(nobody, '{ host: a, port: 1 }'), 4, "fleet entry 2 lacks 'api'"],
  'an entry without host': [fleetOf('{ api: engine, port: 1 }'), 3, "fleet entry 1 lacks 'host'"],
  'an entry without port': [fleetOf('{ api: engine, host: a }'), 3, "fleet entry 1 lacks 'port'"],
  'a misspelt api': [
    fleetOf('{ api: enigne, host: a, port: 1 }'),
    3,
    "api is 'enigne'; did you mean 'engine'?; allowed: model-manage, engine, engine-x, connect, gateway, dashboard",
  ],
  'an api that is null': [fleetOf('{ api: ~, host: a, port: 1 }'), 3, 'api must be a text, but is empty'],
  'an empty host': [fleetOf("{ api: engine, host: '', port: 1 }"), 3, 'host is empty'],
  'a host that is a mapping': [
    fleetOf('{ api: engine, host: { name: a }, port: 1 }'),
    3,
    'host must be a text, but is a mapping',
  ],
  'a host that is a URL': [
    fleetOf("{ api: engine, host: 'http://a', port: 1 }"),
    3,
    "host is 'http://a', but must be a host name or an IP address, nothing else",
  ],
  'a host with a port': [
    fleetOf("{ api: engine, host: 'a:8003', port: 1 }"),
    3,
    "host is 'a:8003', but must be a host name or an IP address, nothing else",
  ],
  'a host with a space': [
    fleetOf("{ api: engine, host: 'a b', port: 1 }"),
    3,
    "host is 'a b', but must be a host name or an IP address, nothing else",
  ],
  'an unknown scheme': [
    fleetOf('{ api: engine, host: a, port: 1, scheme: ftp }'),
    3,
    "scheme is 'ftp'; allowed: http, https",
  ],
  'the same name twice': [
    fleetOf('{ api: engine, host: a, port: 1, name: x }', '{ api: engine, host: b, port: 1, name: x }'),
    4,
    "the name 'x' is taken by another entry of the fleet",
  ],
  'a given name that is also a counted one': [
    fleetOf('{ api: engine, host: a, port: 1, name: engine-2 }', nobody),
    4,
    "the name 'engine-2' is taken by another entry of the fleet",
  ],
  'a name with a slash': [
    fleetOf('{ api: engine, host: a, port: 1, name: a/b }'),
    3,
    "name 'a/b' must be letters, digits, '.', '-' and '_', 128 at the most",
  ],
  'a name of two dots': [
    fleetOf("{ api: engine, host: a, port: 1, name: '..' }"),
    3,
    "name '..' must be letters, digits, '.', '-' and '_', 128 at the most",
  ],
  'a name that is too long': [
    fleetOf(`{ api: engine, host: a, port: 1, name: ${'x'.repeat(129)} }`),
    3,
    `name '${'x'.repeat(129)}' must be letters, digits, '.', '-' and '_', 128 at the most`,
  ],
  // The other sections
  'an unknown database': [
    'pitot:\n  db:\n    host: a\n    type: oracle\n',
    4,
    "type is 'oracle'; allowed: sqlite, postgres, postgresql, mysql, mariadb",
  ],
  'a misspelt database': [
    'pitot:\n  db: { type: postgers }\n',
    2,
    "type is 'postgers'; did you mean 'postgres'?; allowed: sqlite, postgres, postgresql, mysql, mariadb",
  ],
  'a database without a type': ['pitot:\n  db:\n    host: a\n', 3, "db lacks 'type'"],
  'a database that is a text': ['pitot:\n  db: sqlite\n', 2, `db must have entries (${databaseKeys}), but is 'sqlite'`],
  'a database that is a list': [
    'pitot:\n  db:\n    - type: sqlite\n',
    3,
    `db must have entries (${databaseKeys}), but is a list`,
  ],
  'a password that is a list': [
    'pitot:\n  db:\n    type: mysql\n    password: [a]\n',
    4,
    'password must be a text, but is a list',
  ],
  'an unknown way of notifications': ['pitot:\n  pneumo: { type: mqtt }\n', 2, "type is 'mqtt'; allowed: kafka, REST"],
  'bootstrap hosts that are no list': [
    'pitot:\n  pneumo:\n    type: kafka\n    bootstrap: a:9092\n',
    4,
    "bootstrap must be a list, but is 'a:9092'",
  ],
  // Anchors, bombs, giants
  'an alias without an anchor': ['pitot:\n  fleet: *nobody\n', 2, 'there is no anchor &nobody before this alias'],
  'an alias before its anchor': [
    'pitot:\n  fleet: *later\n  db: &later { type: sqlite }\n',
    2,
    'there is no anchor &later before this alias',
  ],
  'an alias of what it stands in': ['pitot: &all\n  fleet: *all\n', 2, 'fleet must be a list, but is a mapping'],
  'a list that is in itself': [
    'pitot:\n  pneumo:\n    type: kafka\n    bootstrap: &all\n      - *all\n',
    5,
    'bootstrap entry 1 must be a text, but is a list',
  ],
  'a billion laughs': [`pitot:\n${lists.join('')}`, 10, 'there are more than 100 aliases in the configuration'],
  'brackets forty deep': [
    `pitot:\n  fleet: ${'['.repeat(40)}${']'.repeat(40)}`,
    2,
    'the configuration is nested too deep',
  ],
  'brackets fifty thousand deep': [`pitot: ${'['.repeat(50_000)}`, 1, 'the configuration is nested too deep'],
  'lists in lists without end': ['- '.repeat(50_000), 1, 'the configuration is nested too deep'],
  'mappings in mappings': [
    Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n'),
    33,
    'the configuration is nested too deep',
  ],
  'ten megabytes in lines of 64 bytes': [
    `#${'x'.repeat(62)}\n`.repeat(160_000),
    16_385,
    'the configuration is longer than 1 MiB from here on',
  ],
  'ten megabytes in one line': ['x'.repeat(10_000_000), 1, 'the configuration is longer than 1 MiB from here on'],
  'sixty thousand keys': [
    `pitot:\n${Array.from({ length: 60_000 }, (_, index) => `  k${index}: 1\n`).join('')}`,
    2,
    "pitot has no key 'k0'; known: fleet, db, pneumo",
  ],
}

for (const found of ['0', '65536', '70000', '-1', '1.5', '0x1f43', '8e3', 'http', 'true', '123456']) {
  bad[`port ${found}`] = [
    `pitot:\n  fleet:\n    - api: engine\n      host: a\n      port: ${found}\n`,
    5,
    `port is '${found}', but must be a whole number from 1 to 65535`,
  ]
}
bad['a port that is a list'] = [fleetOf('{ api: engine, host: a, port: [1] }'), 3, 'port must be a text, but is a list']
bad['a port that is empty'] = [
  'pitot:\n  fleet:\n    - api: engine\n      port:\n      host: a\n',
  4,
  'port must be a text, but is empty',
]

describe('a bad configuration is refused with its line and the cause', () => {
  for (const [name, [given, line, reason]] of Object.entries(bad)) {
    test(name, () => {
      const error = refusalOf(given)
      expect(error.message).toBe(`line ${line}: ${reason}`)
      expect([error.code, error.status]).toEqual(['bad-config', 400])
    })
  }
})

describe('whatever is given', () => {
  test('texts of all kinds are read or refused, and the line is a line of the text', () => {
    const pieces = fc.constantFrom(
      ...['pitot:', 'fleet:', 'db:', '- ', 'api: engine', 'host: a', 'port: 1', '\n', '\n  ', '\n    ', '\t', '{', '}'],
      ...[
        '[',
        ']',
        ',',
        ': ',
        '? ',
        '&a ',
        '*a',
        '!!',
        '|',
        '>',
        '"',
        "'",
        '#',
        '---',
        '...',
        '%',
        '<<',
        '@',
        '~',
        '\0',
      ],
    )
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.json(),
      fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(texts, (given) => {
        let thrown: unknown
        try {
          expect(readConfiguration(given).text).toBe(given)
          return
        } catch (error) {
          thrown = error
        }
        expect(thrown).toBeInstanceOf(PitotError)
        const { code, message } = thrown as PitotError
        expect(code).toBe('bad-config')
        const line = Number(/^line (\d+): ./.exec(message)?.[1])
        expect(line).toBeGreaterThan(0)
        expect(line).toBeLessThanOrEqual(given.split('\n').length)
        expect(message).not.toMatch(/[\n\r]/)
      }),
      { numRuns: 1000 },
    )
  })

  test('a fleet keeps its order, its addresses and its names, written as YAML or as JSON', () => {
    const apis = fc.constantFrom('engine', 'engine-x', 'model-manage', 'connect')
    const members = fc.array(fc.record({ api: apis, host: fc.domain(), port: fc.integer({ min: 1, max: 65535 }) }), {
      maxLength: 20,
    })
    fc.assert(
      fc.property(members, (fleet) => {
        const lines = fleet.map(({ api, host, port }) => `    - { api: ${api}, host: "${host}", port: '${port}' }\n`)
        const yaml = readConfiguration(`x:\n  fleet:${fleet.length === 0 ? ' []\n' : `\n${lines.join('')}`}`)
        const json = readConfiguration(JSON.stringify({ x: { fleet } }))
        expect(yaml.fleet).toEqual(json.fleet)
        expect(json.fleet.map(({ api, host, port }) => ({ api, host, port }))).toEqual(fleet)
        const counted = fleet.map(({ api }, index) => {
          const before = fleet.slice(0, index).filter((member) => member.api === api)
          return `${api}-${before.length + 1}`
        })
        expect(json.fleet.map(({ name }) => name)).toEqual(counted)
      }),
    )
  })
})

function refusalOf(given: string): PitotError {
  try {
    readConfiguration(given)
  } catch (error) {
    if (error instanceof PitotError) return error
    throw error
  }
  throw new Error('it was accepted')
}

import { regex } from '../../src/library/regex.ts'
import { BYTES, fails, type Row, STRING, testTable, text } from './table.ts'

/** Every function on one haystack, with its first error code. Places are offsets in UTF-8. */
const HAYSTACK = 'é1a22b'
const FUNCTIONS: [string, number, unknown][] = [
  ['index', 35000, [2, 3]],
  ['contains', 35010, true],
  ['count', 35020, 2],
  ['rindex', 35030, [4, 6]],
  [
    'groups',
    35040,
    [
      [2, 3],
      [2, 3],
    ],
  ],
  [
    'indexall',
    35050,
    [
      [2, 3],
      [4, 6],
    ],
  ],
  ['findall', 35060, ['1', '22']],
  ['findfirst', 35070, '1'],
  ['findgroupsfirst', 35080, ['1', '1']],
  [
    'findgroupsall',
    35090,
    [
      ['1', '1'],
      ['22', '2'],
    ],
  ],
  [
    'groupsall',
    35100,
    [
      [
        [2, 3],
        [2, 3],
      ],
      [
        [4, 6],
        [5, 6],
      ],
    ],
  ],
  ['split', 35130, ['é', 'a', 'b']],
]

const REPLACEMENTS: [string, number, string][] = [
  ['replacefirst', 35110, 'é\\1a22b'],
  ['replacelast', 35120, 'é1a\\1b'],
  ['replaceall', 35140, 'é\\1a\\1b'],
]

/** The same with texts as bytes. */
function inBytes(value: unknown): unknown {
  return typeof value === 'string' ? text(value) : Array.isArray(value) ? value.map(inBytes) : value
}

const common: Row[] = [
  ...FUNCTIONS.flatMap(([name, code, expected]): Row[] => [
    [`re.${name}`, [STRING, STRING], [HAYSTACK, '([0-9])+'], expected],
    [`re.${name}`, [BYTES, BYTES], [text(HAYSTACK), text('([0-9])+')], inBytes(expected)],
    [`re.${name}`, [STRING, STRING], [HAYSTACK, '('], fails(code)],
    [`re.${name}`, [BYTES, BYTES], [text(HAYSTACK), text('*')], fails(code)],
  ]),
  ...REPLACEMENTS.flatMap(([name, code, expected]): Row[] => [
    [`re.${name}`, [STRING, STRING, STRING], [HAYSTACK, '([0-9])+', '\\1'], expected],
    [`re.${name}`, [BYTES, BYTES, BYTES], [text(HAYSTACK), text('([0-9])+'), text('\\1')], text(expected)],
    [`re.${name}`, [STRING, STRING, STRING], [HAYSTACK, '[', 'x'], fails(code)],
    [`re.${name}`, [STRING, STRING, STRING], [HAYSTACK, 'z', 'x'], HAYSTACK],
  ]),
]

const S2 = [STRING, STRING]

const corners: Row[] = [
  ['re.index', S2, ['abc', 'z'], []],
  ['re.rindex', S2, ['abc', 'z'], []],
  ['re.findfirst', S2, ['abc', 'z'], null],
  ['re.groups', S2, ['abc', '(z)'], []],
  ['re.index', S2, ['', 'x*'], []],
  ['re.contains', S2, ['', ''], false],
  ['re.index', S2, ['abc', 'x*'], [0, 0]],
  ['re.count', S2, ['abc', 'x*'], 3],
  ['re.findall', S2, ['abxxc', 'x*'], ['', '', 'xx', '']],
  ['re.split', S2, ['abc', ''], ['a', 'b', 'c']],
  ['re.replaceall', [STRING, STRING, STRING], ['ab', 'x*', '-'], '-a-b'],
  ['re.split', S2, ['abc', 'z'], ['abc']],
  ['re.split', S2, ['1a2', '[0-9]'], ['a']],
  ['re.split', S2, ['abc', '.'], ['', '']],
  ['re.count', S2, ['aab', '^a'], 1],
  [
    're.groups',
    S2,
    ['a.b', '(a)(b)?'],
    [
      [0, 1],
      [0, 1],
    ],
  ],
  [
    're.groups',
    S2,
    ['the the', '(the )*'],
    [
      [0, 4],
      [0, 4],
    ],
  ],
  [
    're.findgroupsall',
    S2,
    ['aab', '(a)(b)?'],
    [
      ['a', 'a'],
      ['ab', 'a', 'b'],
    ],
  ],
  [
    're.indexall',
    S2,
    ['😀.😀', '😀'],
    [
      [0, 4],
      [5, 9],
    ],
  ],
  ['re.findall', S2, ['a😀é', '.'], ['a', '😀', 'é']],
  ['re.replaceall', [STRING, STRING, STRING], ['x😀y', '😀', '$&'], 'x$&y'],
  ['re.findall', [BYTES, BYTES], [text('机机a'), text('机+')], [text('机机')]],
  ['re.count', [BYTES, BYTES], [text('é'), text('.')], 2],
]

testTable('re.', regex, [...common, ...corners])

// Stream descriptors that are refused, and why.
import type { Sentence } from './sentence.ts'

/** All are answered with 400. */
export const descriptors: readonly (readonly [slot: 'in' | 'out', body: string, sentence: Sentence])[] = [
  ['in', '[]', 'the stream descriptor is not right: a stream descriptor is a JSON object, not []'],
  ['in', 'null', 'the stream descriptor is not right: a stream descriptor is a JSON object, not null'],
  ['in', '"demo-1"', 'the stream descriptor is not right: a stream descriptor is a JSON object, not "demo-1"'],
  [
    'in',
    '{}',
    "the stream descriptor is not right: the field 'Transport' is missing; it must be a transport: a word or an object with a Type",
  ],
  [
    'in',
    '{"Transport"}',
    "the stream descriptor is not valid JSON: line 1, column 13: expected ':' after property name",
  ],
  [
    'in',
    '{"Transport":"REST"} x',
    'the stream descriptor is not valid JSON: line 1, column 22: unexpected non-whitespace character after JSON',
  ],
  [
    'in',
    '{"Transport":"discard"}',
    'the stream descriptor is not right: /Transport: transport discard has no meaning as an input',
  ],
  [
    'in',
    '{"Transport":"console"}',
    'the stream descriptor is not right: /Transport: transport console has no meaning as an input',
  ],
  [
    'in',
    '{"Transport":"Kafak"}',
    'the stream descriptor is not right: /Transport: "Kafak" is not allowed, it must be one of REST, HTTP, kafka, file, TCP, UDP, exec, debug, console, discard; did you mean \'kafka\'?',
  ],
  [
    'in',
    '{"Transport":{"Tpye":"REST"}}',
    "the stream descriptor is not right: /Transport: the field 'Type' is missing; it must be one of REST, HTTP, kafka, file, TCP, UDP, exec, debug, console, discard",
  ],
  [
    'in',
    '{"Transport":{"Type":"REST","Port":1}}',
    "the stream descriptor is not right: /Transport/Port: there is no field 'Port' here; known: Mode",
  ],
  [
    'in',
    '{"Transport":{"Type":"REST","Mode":"fast"}}',
    'the stream descriptor is not right: /Transport/Mode: "fast" is not allowed, it must be one of chunked, simple, automatic, or null',
  ],
  [
    'in',
    '{"Transport":{"Type":"HTTP"}}',
    "the stream descriptor is not right: /Transport: the field 'Url' is missing; it must be an address that begins with http:// or https://",
  ],
  [
    'in',
    '{"Transport":{"Type":"HTTP","Url":"ftp://x"}}',
    'the stream descriptor is not right: /Transport/Url: "ftp://x" is not allowed, it must be an address that begins with http:// or https://',
  ],
  [
    'in',
    '{"Transport":{"Type":"kafka","Topic":"x"}}',
    'the stream descriptor is not right: /Transport: the field \'BootstrapServers\' is missing; it must be a list of "host:port", or one text with commas between them',
  ],
  [
    'in',
    '{"Transport":{"Type":"kafka","BootstrapServers":["x"],"Topic":"x","Partition":-1}}',
    'the stream descriptor is not right: /Transport/Partition: -1 is not allowed, it must be the number of a partition, a list of numbers, or "all"',
  ],
  [
    'in',
    '{"Transport":{"Type":"file"}}',
    "the stream descriptor is not right: /Transport: the field 'Path' is missing; it must be a text that is not empty",
  ],
  [
    'in',
    '{"Transport":{"Type":"file","Path":"/no/such/file"}}',
    'the stream cannot be used: cannot read /no/such/file: there is no such file',
  ],
  ['in', '{"Transport":{"Type":"file","Path":"/"}}', 'the stream cannot be used: / is a folder; Path must name a file'],
  [
    'in',
    '{"Transport":{"Type":"TCP","Host":"127.0.0.1","Port":70000}}',
    'the stream descriptor is not right: /Transport/Port: 70000 is not allowed, it must be a whole number from 1 to 65535',
  ],
  [
    'in',
    '{"Transport":{"Type":"TCP","Host":"127.0.0.1","Port":1},"Loop":true}',
    'the stream descriptor is not right: /Loop: transport TCP cannot be read again from its start, so it cannot loop',
  ],
  [
    'in',
    '{"Transport":{"Type":"UDP"}}',
    "the stream descriptor is not right: /Transport: the field 'Port' is missing; it must be a whole number from 1 to 65535",
  ],
  [
    'in',
    '{"Transport":{"Type":"exec","Run":"/bin/true"}}',
    'the stream cannot be used: /bin/true may not be run here (nothing is allowed); whoever starts the engine can allow it by --allow-exec',
  ],
  [
    'in',
    '{"Transport":{"Type":"debug"}}',
    'the stream descriptor is not right: /Transport: a debug input needs Data or DataBinary',
  ],
  [
    'in',
    '{"Transport":{"Type":"debug","Data":["1"],"DataBinary":["MQ=="]}}',
    'the stream descriptor is not right: /Transport: Data and DataBinary exclude each other; give one of them',
  ],
  [
    'in',
    '{"Transport":{"Type":"debug","DataBinary":["%"]}}',
    'the stream descriptor is not right: /Transport/DataBinary: ["%"] is not allowed, it must be a text in base64 or a list of them, or null',
  ],
  [
    'in',
    '{"Transport":"REST","Loop":"yes"}',
    'the stream descriptor is not right: /Loop: "yes" is not allowed, it must be true or false, or null',
  ],
  [
    'in',
    '{"Transport":"REST","Loop":true}',
    'the stream descriptor is not right: /Loop: transport REST cannot be read again from its start, so it cannot loop',
  ],
  [
    'in',
    '{"Transport":"REST","SkipTo":5}',
    'the stream descriptor is not right: /SkipTo: transport REST has no byte offsets to skip to; use SkipToRecord',
  ],
  [
    'in',
    '{"Transport":{"Type":"debug","Data":["1"]},"SkipTo":-1}',
    'the stream descriptor is not right: /SkipTo: -1 is not allowed, it must be a whole number from 0, or null',
  ],
  [
    'in',
    '{"Transport":{"Type":"debug","Data":["1"]},"SkipToRecord":"first"}',
    "the stream descriptor is not right: /SkipToRecord: \"first\" is not allowed, it must be a record number, 'earliest', 'latest' or null",
  ],
  [
    'in',
    '{"Transport":"REST","Envelope":"delimeted"}',
    'the stream descriptor is not right: /Envelope: "delimeted" is not allowed, it must be one of null, delimited, delimited-csv, fixed, ocf-block; did you mean \'delimited\'?',
  ],
  [
    'in',
    '{"Transport":"REST","Envelope":{"Type":"delimited","Separator":""}}',
    'the stream descriptor is not right: /Envelope/Separator: "" is not allowed, it must be a text of one or more characters',
  ],
  [
    'in',
    '{"Transport":"REST","Envelope":"ocf-block","Encoding":"json"}',
    'the stream descriptor is not right: /Envelope: ocf-block holds Avro records: the encoding must be avro-binary',
  ],
  [
    'in',
    '{"Transport":"REST","Envelope":{"Type":"ocf-block","SyncMarker":"x"},"Encoding":"avro-binary","Schema":"int"}',
    'the stream descriptor is not right: /Envelope/SyncMarker: "x" is not allowed, it must be 16 bytes in base64, or null',
  ],
  [
    'in',
    '{"Transport":"REST","Envelope":{"Type":"fixed"}}',
    "the stream descriptor is not right: /Envelope: the field 'Size' is missing; it must be a whole number from 1 to 1073741824",
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"jason"}',
    'the stream descriptor is not right: /Encoding: "jason" is not allowed, it must be one of null, json, avro-binary, utf-8, csv, msgpack; did you mean \'json\'?',
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"avro-binary"}',
    'the stream descriptor is not right: avro-binary cannot be read or written without a schema',
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"json","Schema":5}',
    'the stream descriptor is not right: /Schema: 5 is not allowed, it must be a schema: null, a name, a list, or an object',
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"json","Schema":{"type":"recrod","name":"A","fields":[]}}',
    'the schema is not right: at /type: expected the name of a type (null, boolean, int, long, float, double, bytes, string, array, map, record, enum, …), found the name "recrod", which nothing defines; did you mean "record"?',
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"json","Schema":{"type":"enum","name":"A","symbols":["a","a"]}}',
    'the schema is not right: at /symbols/1: expected each name once, found the string "a"',
  ],
  [
    'in',
    '{"Transport":"REST","Encoding":"json","Schema":"no-such-schema"}',
    "schema 'no-such-schema' is needed from Model Manage, which cannot be asked: the Engine was started without --connect",
  ],
  [
    'in',
    '{"Transport":"REST","Batching":"big"}',
    "the stream descriptor is not right: /Batching: \"big\" is not allowed, it must be 'normal', 'explicit', null, or an object with Watermark and NagleTime",
  ],
  [
    'in',
    '{"Transport":"REST","Batching":{"Watermark":0}}',
    "the stream descriptor is not right: /Batching: {\"Watermark\":0} is not allowed, it must be 'normal', 'explicit', null, or an object with Watermark and NagleTime",
  ],
  [
    'in',
    '{"Transport":"REST","OnError":"panic"}',
    'the stream descriptor is not right: /OnError: "panic" is not allowed, it must be one of skip, fail, dead-letter',
  ],
  [
    'in',
    '{"Transport":"REST","OnError":"dead-letter"}',
    'the stream descriptor is not right: OnError is dead-letter, so DeadLetter must name the stream for rejected records',
  ],
  [
    'in',
    '{"Transport":"REST","Delivery":"exactly-once"}',
    'the stream descriptor is not right: /Delivery: exactly-once needs kafka at both ends; transport REST has no transactions',
  ],
  [
    'in',
    '{"Transport":"REST","Delivery":"sometimes"}',
    'the stream descriptor is not right: /Delivery: "sometimes" is not allowed, it must be one of at-least-once, exactly-once, at-most-once',
  ],
  [
    'out',
    '{"Transport":{"Type":"kafka","BootstrapServers":["127.0.0.1:1"],"Topic":""}}',
    'the stream descriptor is not right: /Transport/Topic: "" is not allowed, it must be the name of a topic: 1 to 249 letters, digits, dots, underscores and hyphens',
  ],
  [
    'out',
    '{"Transport":{"Type":"file","Path":"/proc/no/such"}}',
    'the stream cannot be used: cannot write /proc/no/such: there is no such file',
  ],
  [
    'out',
    '{"Transport":"discard","LingerTime":"long"}',
    'the stream descriptor is not right: /LingerTime: "long" is not allowed, it must be a whole number from 0, or null',
  ],
  [
    'out',
    '{"Transport":"discard","Order":"yes"}',
    'the stream descriptor is not right: /Order: "yes" is not allowed, it must be true or false',
  ],
]

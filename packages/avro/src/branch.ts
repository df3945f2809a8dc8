// A value of a union whose bare value would not tell its branch: the branch's name and the value in it.

export class Branch<Value = unknown> {
  /** As in Avro's JSON: a primitive's kind, `array`, `map`, or a named type's full name. */
  readonly type: string
  readonly value: Value

  constructor(type: string, value: Value) {
    this.type = type
    this.value = value
  }
}

// The list of forms in which records travel to runners, each with its translator.
import type { FormTranslator } from './forms/form.ts'
import { JsonTranslator } from './forms/json.ts'
import { RTranslator } from './forms/r.ts'
import { WireTranslator } from './forms/wire.ts'
import type { Form } from './messages.ts'

export const translators: Readonly<Record<Form, () => FormTranslator>> = {
  json: () => new JsonTranslator(),
  r: () => new RTranslator(),
  wire: () => new WireTranslator(),
}

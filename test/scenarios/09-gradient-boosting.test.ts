// A real scikit-learn model, pickled into an archive: scored by the engine as by itself.
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../service-options.ts'
import { debugOut, type Fleet, startFleet } from './fleet.ts'
import { describePython } from './interpreters.ts'
import { externalAttachment, formParts, inlineAttachment, multipart } from './multipart.ts'

/** Trains on invented cars, packs what the model needs, and tells what the regressor says of some cars. */
const training = `
import json, pickle, random, sys, tarfile
from sklearn.ensemble import GradientBoostingRegressor
sys.path.insert(0, '.')
from features import vector

random.seed(13)
makes = ['audi', 'bmw', 'honda', 'mazda', 'volvo']
def car():
    doors = random.choice([2, 4])
    power = random.randint(48, 288)
    return {'make': random.choice(makes), 'doors': doors, 'horsepower': power, 'price': power * 97.5 + doors * 100}
cars = [car() for _ in range(400)]
regressor = GradientBoostingRegressor(n_estimators=60, random_state=1)
regressor.fit([vector(c) for c in cars], [c['price'] + 500 * len(c['make']) for c in cars])
with open('gbm.pkl', 'wb') as file:
    pickle.dump(regressor, file)
asked = [car() for _ in range(50)]
json.dump({'cars': asked, 'scores': list(regressor.predict([vector(c) for c in asked]))}, sys.stdout)
for name, more in (('small.tar.gz', []), ('large.tar.gz', ['padding.bin'])):
    with tarfile.open(name, 'w:gz') as archive:
        for path in ['gbm.pkl', 'features.py', *more]:
            archive.add(path)
`
const features = `
makes = {name: place for place, name in enumerate(['audi', 'bmw', 'honda', 'mazda', 'volvo'])}

def vector(car):
    return [makes[car['make']], car['doors'], car['horsepower'], car['price']]
`
const source = `
# fastscore.input: gbm_input
# fastscore.output: double
import pickle
from features import vector

def begin():
    global regressor
    with open('gbm.pkl', 'rb') as file:
        regressor = pickle.load(file)

def action(car):
    yield float(regressor.predict([vector(car)])[0])
`
const type = 'application/vnd.fastscore.model-python3'
const gzip = 'application/gzip'
const schema = {
  type: 'record',
  name: 'Car',
  fields: [
    { name: 'make', type: 'string' },
    { name: 'doors', type: 'int' },
    { name: 'horsepower', type: 'int' },
    { name: 'price', type: 'double' },
  ],
}

describePython('gradient boosting', (python) => {
  let fleet: Fleet
  let trained: { cars: object[]; scores: number[] }
  const folder = temporaryFolder()
  beforeAll(async () => {
    fleet = await startFleet({ python })
    writeFileSync(`${folder}/features.py`, features)
    writeFileSync(`${folder}/padding.bin`, randomBytes(2 * 2 ** 20))
    // The fleet is in this process: while it waits, its services go on telling each other that they are well.
    const { stdout } = await promisify(execFile)(python, ['-c', training], { cwd: folder })
    trained = JSON.parse(stdout)
    await fleet.modelManage.ok('PUT /1/schema/gbm_input', schema)
  })
  afterAll(() => fleet?.stop())

  async function scores(): Promise<number[]> {
    const { engine } = fleet
    await engine.output({ ...debugOut, Schema: 'double' })
    const Data = trained.cars.map((car) => JSON.stringify(car))
    await engine.input({ Transport: { Type: 'debug', Data }, Encoding: 'json', Schema: { $ref: 'gbm_input' } })
    await engine.finished()
    return (await engine.debugOutput()).map(Number)
  }

  test('with the archive in the request, as a form', async () => {
    const archive = readFileSync(`${folder}/small.tar.gz`)
    const parts = formParts({ name: 'gbm', type, source }, [inlineAttachment('gbm.tar.gz', gzip, archive)])
    const { body, headers } = multipart('form-data', parts)
    expect(await fleet.engine.says('PUT /1/job/model', body, headers)).toEqual([204, ''])
    expect(await scores()).toEqual(trained.scores)
    expect(await fleet.engine.json('GET /1/job/status?return=model')).toMatchObject({
      model: { name: 'gbm', type: 'python3', attachments: ['gbm.tar.gz'], output_schema: 'double' },
    })
  })

  test('with an archive of more than a mebibyte that stays in Model Manage', async () => {
    const { engine, modelManage } = fleet
    const archive = readFileSync(`${folder}/large.tar.gz`)
    expect(archive.length).toBeGreaterThan(2 ** 20)
    await modelManage.ok('PUT /1/model/gbm', source, { 'content-type': type })
    await modelManage.ok('PUT /1/model/gbm/attachment/large.tar.gz', archive, { 'content-type': gzip })
    const { body, headers } = multipart('mixed', [
      externalAttachment('gbm', 'large.tar.gz', gzip, archive.length),
      { headers: { 'Content-Disposition': 'x-model; name="gbm"', 'Content-Type': type }, body: source },
    ])
    expect(await engine.says('PUT /1/job/model', body, headers)).toEqual([204, ''])
    expect(await scores()).toEqual(trained.scores)
  })

  test('an attachment that Model Manage does not have is an error', async () => {
    const { body, headers } = multipart('mixed', [
      externalAttachment('gbm', 'other.tar.gz', gzip, 1),
      { headers: { 'Content-Disposition': 'x-model; name="gbm"', 'Content-Type': type }, body: source },
    ])
    expect(await fleet.engine.says('PUT /1/job/model', body, headers)).toEqual([
      400,
      "attachment 'other.tar.gz' of model 'gbm' cannot be fetched from Model Manage: model 'gbm' has no attachment 'other.tar.gz'",
    ])
  })
})

import { readFileSync } from 'node:fs';
import { Ajv, type ErrorObject } from 'ajv';
import { describe, expect, test } from '@jest/globals';
import { load } from 'js-yaml';

type Values = Readonly<Record<string, unknown>>;
interface Schema {
  readonly properties: Readonly<Record<string, object>>;
}

const valuesOf = (path: string) => load(readFileSync(`charts/${path}`, 'utf8')) as Values;
const schemaOf = (chart: string) =>
  JSON.parse(readFileSync(`charts/${chart}/values.schema.json`, 'utf8')) as Schema;

/** What is wrong, with where it is. */
function refusals(chart: string, values: Values): string[] {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schemaOf(chart));
  if (validate(values)) return [];
  return validate.errors!.map(({ instancePath, message = '', params }: ErrorObject) => {
    const { additionalProperty = '' } = params as { readonly additionalProperty?: string };
    return `${instancePath} ${message} ${additionalProperty}`.trim();
  });
}

describe.each(['sightline', 'sightline-operator'])('the values of %s', (chart) => {
  const values = valuesOf(`${chart}/values.yaml`);

  test('are what its schema says', () => {
    expect(refusals(chart, values)).toEqual([]);
  });

  test('are all in the schema, and the schema has no others', () => {
    const known = Object.keys(schemaOf(chart).properties).filter((name) => name !== 'enabled');
    expect(Object.keys(values).toSorted()).toEqual(known.toSorted());
  });

  test('are refused where a word is misspelled', () => {
    expect(refusals(chart, { ...values, replicaCount: 3 })).toEqual([
      'must NOT have additional properties replicaCount',
    ]);
    expect(refusals(chart, { ...values, networkPolicy: { enable: false } })).toEqual([
      '/networkPolicy must NOT have additional properties enable',
    ]);
  });
});

test.each(['quickstart', 'production'])('values-%s.yaml is what the schema says', (name) => {
  expect(refusals('sightline', valuesOf(`sightline/values-${name}.yaml`))).toEqual([]);
});

/** Each misleads somebody who means well. */
const REFUSED: readonly (readonly [values: Values, reason: string])[] = [
  [{ api: { replica: 2 } }, '/api must NOT have additional properties replica'],
  [{ activation: 'git' }, '/activation must be equal to one of the allowed values'],
  [{ routes: { face: { model: 'a' } } }, '/routes/face/model boolean schema is false'],
  [{ routes: { face: { defaultmodel: 'a' } } }, '/routes/face must NOT have additional properties'],
  [{ routes: { object: { reembed: 'Block' } } }, '/routes/object must NOT have additional'],
  [
    { routes: { face: { drainTimeoutSeconds: 5 } } },
    '/routes/face/drainTimeoutSeconds must be >= 60',
  ],
  [{ routes: { pose: {} } }, '/routes must NOT have additional properties pose'],
  [{ models: { a: { task: 'Face' } } }, "/models/a must have required property 'source'"],
  [{ s3: { endpoint: 'https://key:secret@s3' } }, '/s3/endpoint must match pattern'],
  [{ database: { url: 'postgres://' } }, '/database must NOT have additional properties url'],
  [{ kafka: { brokers: 'kafka:9092' } }, '/kafka/brokers must be array'],
  [{ api: { spoolSize: '4GB' } }, '/api/spoolSize must match pattern'],
];

test.each(REFUSED)('%j is refused', (values, reason) => {
  expect(refusals('sightline', values)).toEqual([expect.stringContaining(reason)]);
});

test('both charts are of one version', () => {
  const versions = ['sightline', 'sightline-operator'].map((chart) => {
    const { version, appVersion } = valuesOf(`${chart}/Chart.yaml`);
    return [version, appVersion];
  });
  const [[version]] = versions as [[string]];
  expect(versions).toEqual([
    [version, version],
    [version, version],
  ]);
  const { version: ours } = JSON.parse(readFileSync('package.json', 'utf8')) as Values;
  expect(ours).toBe(version);
  const { dependencies } = valuesOf('sightline/Chart.yaml');
  expect(dependencies).toEqual([expect.objectContaining({ version })]);
});

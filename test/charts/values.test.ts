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

const isSection = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes values that are null, as Helm does before it checks the schema. */
function coalesce(defaults: Values, values: Values): Values {
  const merged = Object.entries(values).map(([name, value]) => {
    const before = defaults[name];
    const both = isSection(before) && isSection(value);
    return [name, both ? coalesce(before, value) : value] as const;
  });
  const all = { ...defaults, ...Object.fromEntries(merged) };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null));
}

/** The schema errors of values, with their paths. */
function refusals(chart: string, values: Values): string[] {
  const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schemaOf(chart));
  if (validate(coalesce(valuesOf(`${chart}/values.yaml`), values))) return [];
  return validate.errors!.map(({ instancePath, message = '', params }: ErrorObject) => {
    const { additionalProperty = '' } = params as { readonly additionalProperty?: string };
    return `${instancePath} ${message} ${additionalProperty}`.trim();
  });
}

describe.each(['sightline', 'sightline-operator'])('the values of %s', (chart) => {
  const values = valuesOf(`${chart}/values.yaml`);

  test('match the schema', () => {
    expect(refusals(chart, {})).toEqual([]);
  });

  test('may be those of a subchart', () => {
    const global = { imageRegistry: 'registry.example.org', imagePullSecrets: ['registry'] };
    expect(refusals(chart, { enabled: true, global })).toEqual([]);
  });

  test.each([
    ['commonLabels', 'app.kubernetes.io/name'],
    ['commonLabels', 'app.kubernetes.io/part-of'],
    ['commonLabels', 'sightline.dev/role'],
    ['podLabels', 'app.kubernetes.io/instance'],
    ['podLabels', 'sightline.dev/role'],
  ])("have no label in %s that is the chart's: %s", (where, label) => {
    const given = (labels: Values) => {
      const isInPods = chart === 'sightline' && where === 'podLabels';
      return isInPods ? { worker: { podLabels: labels } } : { [where]: labels };
    };
    const at = label.replace('/', '~1');
    expect(refusals(chart, given({ [label]: 'other' }))).toContainEqual(
      expect.stringMatching(`/${where}/${at} boolean schema is false$`),
    );
    expect(refusals(chart, given({ team: 'photos' }))).toEqual([]);
  });

  test('are the same as those of the schema', () => {
    const known = Object.keys(schemaOf(chart).properties).filter((name) => name !== 'enabled');
    expect(Object.keys(values).toSorted()).toEqual(known.toSorted());
  });

  test('have a schema without propertyNames, for whose faults Helm names another value', () => {
    expect(readFileSync(`charts/${chart}/values.schema.json`, 'utf8')).not.toContain(
      'propertyNames',
    );
  });

  test('are refused if a name is misspelled', () => {
    expect(refusals(chart, { replicaCount: 3 })).toEqual([
      'must NOT have additional properties replicaCount',
    ]);
    expect(refusals(chart, { networkPolicy: { enable: false } })).toEqual([
      '/networkPolicy must NOT have additional properties enable',
    ]);
  });
});

test.each(['quickstart', 'production'])('values-%s.yaml matches the schema', (name) => {
  expect(refusals('sightline', valuesOf(`sightline/values-${name}.yaml`))).toEqual([]);
});

/** Values that look plausible but would not work. */
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
  [
    { models: { A_b: { task: 'Face', source: {} } } },
    '/models must NOT have additional properties A_b',
  ],
  [{ models: { a: { task: 'Face' } } }, "/models/a must have required property 'source'"],
  [{ s3: { endpoint: 'https://key:secret@s3' } }, '/s3/endpoint must match pattern'],
  [{ database: { url: 'postgres://' } }, '/database must NOT have additional properties url'],
  [{ kafka: { brokers: 'kafka:9092' } }, '/kafka/brokers must be array'],
  [{ api: { spoolSize: '4GB' } }, '/api/spoolSize must match pattern'],
  [{ database: { urlKey: '' } }, '/database/urlKey must match pattern'],
  [{ relay: { podDisruptionBudget: { maxUnavailable: 'one' } } }, '/relay/podDisruptionBudget/max'],
  [{ accounts: { oidc: { issuer: 'http://login' } } }, '/accounts/oidc/issuer must match pattern'],
  [{ accounts: { oidc: { clientSecret: 'x' } } }, '/accounts/oidc must NOT have additional'],
  [{ accounts: { oidc: { signUp: null } } }, "/accounts/oidc must have required property 'signUp'"],
  [{ api: null }, "must have required property 'api'"],
  [{ networkPolicy: { dns: null } }, "/networkPolicy must have required property 'dns'"],
  [{ quickstart: { s3: null } }, "/quickstart must have required property 's3'"],
  [{ imageUrls: { private: null } }, "/imageUrls must have required property 'private'"],
  [{ s3: { virtualHosts: null } }, "/s3 must have required property 'virtualHosts'"],
  [
    { s3: { webIdentity: { enabled: null } } },
    "/s3/webIdentity must have required property 'enabled'",
  ],
];

test.each(REFUSED)('%j is refused', (values, reason) => {
  expect(refusals('sightline', values)).toEqual([expect.stringContaining(reason)]);
});

test('null removes models and routes of another values file', () => {
  expect(refusals('sightline', { models: null, routes: null })).toEqual([]);
});

test('both charts have the same version', () => {
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

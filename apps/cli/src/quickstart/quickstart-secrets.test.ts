import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { KubeClient } from '@sightline/kube/kube-client';
import { KubeRefusal, toStatus } from '@sightline/kube/kube-errors';
import { createSecrets } from './create-secrets.ts';
import { quickstartSecrets } from './quickstart-secrets.ts';

const OPTIONS = {
  name: 'sl-quickstart',
  namespace: 'photos',
  labels: {},
  database: 'sl-postgres:5432',
  random: randomBytes,
};
const NEVER = new AbortController().signal;

test('processes do not get the login of the owner, and no password is used twice', () => {
  const [service, owner] = quickstartSecrets(OPTIONS).map(({ stringData }) => stringData);
  expect(service!.url).toMatch(
    /^postgres:\/\/sightline_app:[0-9a-f]{48}@sl-postgres:5432\/sightline\?sslmode=disable$/,
  );
  expect(owner!.url).toBe(
    `postgres://sightline_owner:${owner!.password}@sl-postgres:5432/sightline?sslmode=disable`,
  );
  expect(Buffer.from(service!['secret-key']!, 'base64')).toHaveLength(32);
  const all = [...Object.values(service!), ...Object.values(owner!)];
  expect(new Set(all).size).toBe(all.length);
  expect(JSON.stringify(service)).not.toContain(owner!.password);
});

test('an existing Secret stays unchanged, and the missing one is created', async () => {
  const made: string[] = [];
  const client: Pick<KubeClient, 'create'> = {
    create: ({ resource, namespace }, { object }) => {
      const { name } = (object as { readonly metadata: { readonly name: string } }).metadata;
      if (name === 'sl-quickstart') {
        return Promise.reject(new KubeRefusal(toStatus(409, '{}', undefined)));
      }
      made.push(`${resource.plural} ${namespace}/${name}`);
      return Promise.resolve(object as never);
    },
  };
  expect(await createSecrets(client, quickstartSecrets(OPTIONS), NEVER)).toEqual([
    'sl-quickstart-owner',
  ]);
  expect(made).toEqual(['secrets photos/sl-quickstart-owner']);
});

test('any other error of the API server ends the Job', async () => {
  const forbidden = new KubeRefusal(toStatus(403, '{"message": "no"}', undefined));
  const client = { create: () => Promise.reject(forbidden) };
  await expect(createSecrets(client, quickstartSecrets(OPTIONS), NEVER)).rejects.toBe(forbidden);
});

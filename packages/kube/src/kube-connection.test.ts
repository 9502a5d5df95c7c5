import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { podConnection, podNamespace, podServiceAccount } from './kube-connection.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-pod-'));
  await writeFile(join(folder, 'ca.crt'), 'PEM');
  await writeFile(join(folder, 'token'), 'first\n');
  await writeFile(join(folder, 'namespace'), 'shop\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a pod connects with the credentials that the kubelet mounts', async () => {
  const environment = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '6443' };
  const connection = await podConnection(environment, folder);
  expect(connection).toMatchObject({ server: 'https://10.96.0.1:6443', ca: 'PEM' });
  expect(await connection!.token()).toBe('first');
  expect(await podNamespace(folder)).toBe('shop');
});

test('the address may be IPv6, and is null outside a cluster', async () => {
  const connection = await podConnection({ KUBERNETES_SERVICE_HOST: 'fd00::1' }, folder);
  expect(connection?.server).toBe('https://[fd00::1]:443');
  expect(await podConnection({}, folder)).toBeNull();
});

test('a token that was rotated is read again', async () => {
  const now = { at: performance.now() };
  const connection = await podConnection(
    { KUBERNETES_SERVICE_HOST: '10.96.0.1' },
    folder,
    () => now.at,
  );
  expect(await connection!.token()).toBe('first');
  await writeFile(join(folder, 'token'), 'second\n');
  expect(await connection!.token()).toBe('first');
  now.at += 60_001;
  expect(await connection!.token()).toBe('second');
});

test('the service account of a pod is in its token', async () => {
  const claims = { 'kubernetes.io': { serviceaccount: { name: 'operator', uid: 'u' } }, exp: 1 };
  const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
  const write = (token: string) => writeFile(join(folder, 'token'), token);
  await write(`e30.${payload}.c2ln`);
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', name: 'operator', uid: 'u' };
  expect(await podServiceAccount(folder)).toEqual(account);
  for (const token of ['opaque', 'e30.e30.c2ln', `e30.${payload.slice(0, 9)}.c2ln`]) {
    await write(token);
    expect(await podServiceAccount(folder)).toBeNull();
  }
});

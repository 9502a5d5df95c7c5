import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { kubeconfigConnection } from './kubeconfig-connection.ts';

const before = process.env.KUBECONFIG;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-kubeconfig-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
afterEach(() => {
  if (before === undefined) delete process.env.KUBECONFIG;
  else process.env.KUBECONFIG = before;
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** Writes a kubeconfig, as JSON, with a cluster and a user. */
async function name(user: object, more: { cluster?: object; context?: string } = {}) {
  const { cluster = {}, context = 'here' } = more;
  const server = 'https://127.0.0.1:6443';
  const authority = { 'certificate-authority-data': base64('CA') };
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, ...authority, ...cluster } }],
    users: [{ name: 'u', user }],
    contexts: [{ name: 'here', context: { cluster: 'c', user: 'u', namespace: 'shop' } }],
    'current-context': context,
  };
  process.env.KUBECONFIG = join(folder, 'kubeconfig');
  await writeFile(process.env.KUBECONFIG, JSON.stringify(config));
}

test('the current context has the server and the namespace', async () => {
  await name({ token: 'secret' });
  const { connection, namespace } = await kubeconfigConnection();
  expect(connection).toMatchObject({ server: 'https://127.0.0.1:6443', ca: 'CA' });
  expect(connection).not.toHaveProperty('certificate');
  expect(await connection.token()).toBe('secret');
  expect(namespace).toBe('shop');
});

test('a user may have a certificate', async () => {
  await name({ 'client-certificate-data': base64('CERT'), 'client-key-data': base64('KEY') });
  const { connection } = await kubeconfigConnection();
  expect(connection.certificate).toEqual({ cert: 'CERT', key: 'KEY' });
  expect(await connection.token()).toBeNull();
});

test('a user may have a program that prints a token', async () => {
  const apiVersion = 'client.authentication.k8s.io/v1';
  const credential = { apiVersion, kind: 'ExecCredential', status: { token: 'from-a-program' } };
  const program = `console.log(${JSON.stringify(JSON.stringify(credential))})`;
  const args = ['-e', program];
  await name({
    exec: { apiVersion, command: process.execPath, args, interactiveMode: 'Never' },
  });
  const { connection } = await kubeconfigConnection();
  expect(await connection.token()).toBe('from-a-program');
});

test('an unsafe or missing context is refused', async () => {
  await name({ token: 'secret' }, { cluster: { 'insecure-skip-tls-verify': true } });
  await expect(kubeconfigConnection()).rejects.toThrow(/disables the verification/);
  await name({ token: 'secret' }, { context: 'elsewhere' });
  await expect(kubeconfigConnection()).rejects.toThrow(/no current context/);
});

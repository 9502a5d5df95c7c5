import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Gauge } from 'prom-client';
import { HttpListener } from '../http/http-listener.ts';
import { StartError } from '../lifecycle/start-error.ts';
import { createLogger } from '../logging/logger.ts';
import { createMetricsRegistry } from '../metrics/metrics-registry.ts';
import { createOperationsRole, type OperationsRole } from './operations-role.ts';

const logger = createLogger({ level: 'silent' });
const registry = createMetricsRegistry();

let role: OperationsRole;
let base: string;
let modelReady: () => Promise<boolean>;

beforeEach(async () => {
  modelReady = () => Promise.resolve(true);
  const checks = [
    { name: 'api', ready: () => Promise.resolve(true) },
    { name: 'models', ready: () => modelReady() },
  ];
  role = createOperationsRole({ host: '127.0.0.1', port: 0, logger, registry, checks });
  await role.start(new AbortController().signal);
  base = `http://127.0.0.1:${role.endpoint!.port}`;
});

afterEach(() => role[Symbol.asyncDispose]());

test('/livez answers as long as the process does', async () => {
  modelReady = () => Promise.resolve(false);
  const response = await fetch(`${base}/livez`);
  expect([response.status, await response.text()]).toEqual([200, 'ok\n']);
});

describe('/readyz', () => {
  async function readyz(): Promise<unknown[]> {
    const response = await fetch(`${base}/readyz?verbose`);
    return [response.status, await response.json()];
  }

  test('is 200 when everything is ready', async () => {
    expect(await readyz()).toEqual([200, { ready: true, checks: { api: true, models: true } }]);
  });

  test.each([
    ['is not ready', () => Promise.resolve(false)],
    ['fails', () => Promise.reject(new Error('inner detail'))],
    ['does not answer', () => new Promise<boolean>(() => undefined)],
  ])('is 503 and names the check that %s', async (_what, ready) => {
    modelReady = ready;
    expect(await readyz()).toEqual([503, { ready: false, checks: { api: true, models: false } }]);
  });
});

test('a report of the process is answered as JSON', async () => {
  expect((await fetch(`${base}/models`)).status).toBe(404);
  let names = ['a'];
  role.serve('/models', () => ({ names }));
  names = ['b'];
  const response = await fetch(`${base}/models?now`);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(await response.json()).toEqual({ names: ['b'] });
});

test('/metrics has the metrics of the process and the event loop lag', async () => {
  const response = await fetch(`${base}/metrics`);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=/);
  const text = await response.text();
  expect(text).toMatch(/^process_resident_memory_bytes \d/m);
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
});

test('a metric that cannot be read does not crash the process', async () => {
  new Gauge({
    name: 'broken',
    help: 'Fails.',
    registers: [registry],
    collect: () => {
      throw new Error('inner detail');
    },
  });
  const response = await fetch(`${base}/metrics`);
  registry.removeSingleMetric('broken');
  expect([response.status, await response.text()]).toEqual([500, 'internal error\n']);
});

test('nothing else is served', async () => {
  const statuses = await Promise.all([
    fetch(`${base}/`).then(({ status }) => status),
    fetch(`${base}/api/health`).then(({ status }) => status),
    fetch(`${base}/livez`, { method: 'POST' }).then(({ status }) => status),
  ]);
  expect(statuses).toEqual([404, 404, 405]);
});

test('a port in use is an error that names the variable', async () => {
  await using other = await HttpListener.open({
    name: 'test',
    host: '127.0.0.1',
    port: 0,
    portVariable: 'PORT',
    handler: () => undefined,
  });
  const { port } = other.address;
  const second = createOperationsRole({ host: '127.0.0.1', port, logger, registry, checks: [] });
  const start = second.start(new AbortController().signal);
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow('set SIGHTLINE_OPS_PORT to another port');
});

test('a role that is stopped has no endpoint and is not ready', async () => {
  await role[Symbol.asyncDispose]();
  expect(role.endpoint).toBeNull();
  expect(await role.ready()).toBe(false);
});

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Delivery } from '@sightline/core/webhooks/webhook';
import type { ResolvedAddress } from '@sightline/platform/outgoing/target-guard';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { startDispatcher } from '../../support/fixtures/start-dispatcher.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { type HostileSink, openHostileSink } from '../../support/servers/hostile-sink.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const CERTIFICATE = readFileSync('packages/platform/src/outgoing/fixtures/secure-test.pem', 'utf8');

let resources: AsyncDisposableStack;
let store: StoreFixture;
let home: SeededEnvironment;
/** The webhooks of the environment `home`. */
let webhooks: RegisteredWebhooks;
let sink: HostileSink;
let secure: Server;
/** The address for each host name. */
const names = new Map([
  ['secure.test', '127.0.0.1'],
  ['other.test', '127.0.0.1'],
  ['turncoat.test', '127.0.0.1'],
]);

function resolve(name: string): Promise<readonly ResolvedAddress[]> {
  const address = names.get(name);
  return address === undefined
    ? Promise.reject(new Error(`no such name: ${name}`))
    : Promise.resolve([{ address, family: 4 }]);
}

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  sink = resources.use(await openHostileSink());
  secure = createServer({ cert: CERTIFICATE, key: CERTIFICATE }, (_request, response) => {
    response.end();
  }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  resources.defer(() => void secure.close());
  resources.defer(() => secure.closeAllConnections());
  const usual = getCACertificates('default');
  setDefaultCACertificates([...usual, CERTIFICATE]);
  resources.defer(() => setDefaultCACertificates(usual));
  resources.use(await startDispatcher(store, { resolve }));
});
/** Creates an environment for each test, so that messages of one test do not wait for endpoints of another. */
async function enterEnvironment(): Promise<void> {
  home = await store.environment();
  webhooks = new RegisteredWebhooks(store, home.scope);
}
afterAll(async () => {
  await resources.disposeAsync();
});

/** Waits until a webhook has this number of attempts, and returns them, oldest first. */
async function attempts(id: number, count: number): Promise<readonly Delivery[]> {
  for (;;) {
    const made = await webhooks.deliveries(id);
    if (made.length >= count) return made.toReversed();
    await sleep(20);
  }
}

/** The pause between the end of an attempt and the next one, in ms. */
const pauseOf = ({ createdAt, durationMs, nextAttemptAt }: Delivery) =>
  nextAttemptAt === null ? null : nextAttemptAt.getTime() - createdAt.getTime() - durationMs;

interface Expected {
  readonly status: number | null;
  readonly error: string | null;
  /** The least and the greatest pause, in ms; null if there is no further attempt. */
  readonly pause: readonly [number, number] | null;
}

const usual = [4.4 * SECOND, 5.6 * SECOND] as const;
const refused = (status: number): Expected => ({
  status,
  error: `The endpoint answered with status ${status}.`,
  pause: usual,
});
const success = (status: number): Expected => ({ status, error: null, pause: null });
const unanswered = (error: string): Expected => ({ status: null, error, pause: usual });
const UNREACHABLE = unanswered('The target could not be reached.');
const LATE = unanswered('The target did not send its whole response within 15 seconds.');
const inTenMinutes = () => new Date(Date.now() + 10 * MINUTE).toUTCString();

const CASES: Readonly<Record<string, Expected & { readonly url: () => string }>> = {
  'answers 200': { url: () => `${sink.url}/status/200`, ...success(200) },
  'answers 204': { url: () => `${sink.url}/status/204`, ...success(204) },
  'answers 500': { url: () => `${sink.url}/status/500`, ...refused(500) },
  'answers 429 with seconds': {
    url: () => `${sink.url}/status/429?retry-after=120`,
    ...refused(429),
    pause: [2 * MINUTE - 50, 2 * MINUTE + 50],
  },
  'answers 429 with a date': {
    url: () => `${sink.url}/status/429?retry-after=${encodeURIComponent(inTenMinutes())}`,
    ...refused(429),
    pause: [9 * MINUTE, 10 * MINUTE],
  },
  'asks for more than a day': {
    url: () => `${sink.url}/status/503?retry-after=200000`,
    ...refused(503),
    pause: [DAY - 50, DAY + 50],
  },
  'asks for less than the pause': {
    url: () => `${sink.url}/status/503?retry-after=1`,
    ...refused(503),
  },
  redirects: {
    url: () => `${sink.url}/status/302?location=${encodeURIComponent('/status/204/followed')}`,
    ...refused(302),
  },
  'is gone': { url: () => `${sink.url}/status/410`, ...refused(410), pause: null },
  hangs: { url: () => `${sink.url}/hang`, ...LATE },
  drips: { url: () => `${sink.url}/drip`, ...LATE },
  'answers without end': { url: () => `${sink.url}/endless-body`, ...success(200) },
  'sends headers without end': { url: () => `${sink.url}/endless-headers`, ...UNREACHABLE },
  'resets at once': { url: () => `${sink.url}/reset-before-headers`, ...UNREACHABLE },
  'resets in the headers': { url: () => `${sink.url}/reset-in-headers`, ...UNREACHABLE },
  // The delivery succeeds, because the status arrives before the reset and the sender does not
  // store the body.
  'resets in the body': { url: () => `${sink.url}/reset-in-body`, ...success(200) },
  'speaks no HTTP': { url: () => `${sink.url}/no-http`, ...UNREACHABLE },
  'speaks no TLS': { url: () => `https://secure.test:${sink.port}/`, ...UNREACHABLE },
  'has its own certificate': { url: () => `https://secure.test:${securePort()}/`, ...success(200) },
  'has the certificate of another': {
    url: () => `https://other.test:${securePort()}/`,
    ...UNREACHABLE,
  },
  'has no address': { url: () => 'http://unknown.test/', ...UNREACHABLE },
};

const securePort = () => (secure.address() as AddressInfo).port;

describe('an endpoint that', () => {
  const made = new Map<string, { readonly id: number; readonly first: Delivery }>();

  beforeAll(async () => {
    await enterEnvironment();
    const ids = new Map<string, number>();
    for (const [name, { url }] of Object.entries(CASES)) {
      ids.set(name, await webhooks.register(url()));
    }
    await home.identity('Ada');
    // The hanging requests run concurrently, so this loop waits for their timeout only once.
    for (const [name, id] of ids) made.set(name, { id, first: (await attempts(id, 1))[0]! });
  });

  test.each(Object.entries(CASES))('%s', (name, { status, error, pause }) => {
    const { first } = made.get(name)!;
    const expected = { attempt: 1, statusCode: status, error, ok: error === null };
    expect(first).toMatchObject(expected);
    if (pause === null) expect(first.nextAttemptAt).toBeNull();
    else {
      expect(pauseOf(first)).toBeGreaterThanOrEqual(pause[0]);
      expect(pauseOf(first)).toBeLessThanOrEqual(pause[1]);
    }
  });

  test('is gone is switched off, and others are not', async () => {
    for (const [name, { id }] of made) {
      const isGone = name === 'is gone';
      expect(await webhooks.byId(id)).toMatchObject({
        isActive: !isGone,
        disabledReason: isGone ? 'gone' : null,
      });
    }
  });

  test('redirects is not followed, and one that answers without end is not read for long', () => {
    expect(sink.received.has('/status/204/followed')).toBe(false);
    // The sender reads at most 64 KiB, but the system's buffers take more.
    expect(sink.written()).toBeLessThan(50 * 1024 ** 2);
  });

  test('resolves to a refused address later is refused then', async () => {
    await enterEnvironment();
    const id = await webhooks.register(`http://turncoat.test:${sink.port}/status/204/turncoat`);
    await home.identity('Bea');
    await attempts(id, 1);
    names.set('turncoat.test', '169.254.169.254');
    await home.identity('Cem');
    const [first, second] = await attempts(id, 2);
    expect(first).toMatchObject({ ok: true });
    expect(second).toMatchObject({
      ok: false,
      statusCode: null,
      error:
        'This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation.',
    });
    expect(sink.received.get('/status/204/turncoat')).toHaveLength(1);
  });
});

test.each(['hang', 'drip'])('one that does %s holds up no other one', async (way) => {
  await enterEnvironment();
  const slow = await webhooks.register(`${sink.url}/${way}/slow`);
  const good = await webhooks.register(`${sink.url}/status/204/${way}`);
  for (let i = 0; i < 30; i++) await home.identity(`Somebody ${i}`);
  while ((await webhooks.deliveries(good)).length < 30) await sleep(20);
  // The other webhook has all its messages before the slow one has ended its first request.
  expect(await webhooks.deliveries(slow)).toEqual([]);
  expect(sink.received.get(`/${way}/slow`)).toHaveLength(1);
  await webhooks.remove(slow);
});

test('five days of nothing but failures switch it off, with twenty attempts at least', async () => {
  await enterEnvironment();
  const id = await webhooks.register(`${sink.url}/status/500/lost`);
  const moveBack = (days: number, failures: number) =>
    store.query(
      `UPDATE webhook_turns SET failing_since = now() - make_interval(days => $2), failures = $3
       WHERE webhook_id = $1`,
      [id, days, failures],
    );
  const fail = async (count: number) => {
    await home.identity(`Lost ${count}`);
    await attempts(id, count);
    // While the dispatcher holds the webhook, it counts failures from the number that it read when
    // it claimed the webhook.
    while ((await heldTurns(id)) > 0) await sleep(20);
  };
  await fail(1);
  await moveBack(6, 18);
  await fail(2);
  expect(await webhooks.byId(id)).toMatchObject({ isActive: true });
  await moveBack(4, 30);
  await fail(3);
  expect(await webhooks.byId(id)).toMatchObject({ isActive: true });
  await moveBack(5, 19);
  await fail(4);
  expect(await webhooks.byId(id)).toMatchObject({ isActive: false, disabledReason: 'failing' });
  const [waiting] = await store.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM webhook_attempts WHERE webhook_id = $1',
    [id],
  );
  expect(waiting!.count).toBe(0);

  // Activating the webhook again resets its count of failures.
  await webhooks.change(id, { isActive: true });
  await home.identity('Found');
  await attempts(id, 5);
  expect(await webhooks.byId(id)).toMatchObject({ isActive: true, disabledReason: null });
});

async function heldTurns(id: number): Promise<number> {
  const rows = await store.query(
    'SELECT FROM webhook_turns WHERE webhook_id = $1 AND token IS NOT NULL',
    [id],
  );
  return rows.length;
}

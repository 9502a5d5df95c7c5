import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Transaction } from '@sightline/core/database/database';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import { startDispatcher } from '../../support/fixtures/start-dispatcher.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { openWebhookSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';
import { IS_SOAK } from '../../support/gates/soak.ts';

const ROUNDS = IS_SOAK ? 30 : 2;
const WRITERS = 6;
/**
 * The pause of each writer in ms. It results in about 1,000 events a second, or half as many in a
 * short run.
 */
const PAUSE_MS = IS_SOAK ? 5 : 10;

let resources: AsyncDisposableStack;
let store: StoreFixture;
let sink: WebhookSink;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  sink = resources.use(await openWebhookSink());
  resources.use(await startDispatcher(store));
});
afterAll(async () => {
  await resources.disposeAsync();
});

/** Writers with overlapping transactions. Each event is about another identity. */
class Writers {
  /**
   * The ids of events whose transaction has begun. `committed` has those whose transaction has
   * committed.
   */
  readonly begun = new Set<number>();
  readonly committed = new Set<number>();
  readonly #environmentId: number;
  readonly #ended: Promise<unknown>;
  #isStopping = false;

  constructor(environmentId: number) {
    this.#environmentId = environmentId;
    this.#ended = Promise.all(Array.from({ length: WRITERS }, () => this.#write()));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#ended;
  }

  async #write(): Promise<void> {
    while (!this.#isStopping) {
      const id = this.begun.size + 1;
      this.begun.add(id);
      await store.database.withEntities(
        { environmentId: this.#environmentId, locks: [] },
        async (tx) => {
          await tx.emit({ event: 'identity_deleted', facts: { identityId: id } });
          if (id % 3 === 0) await sleep(PAUSE_MS);
        },
      );
      this.committed.add(id);
      await sleep(PAUSE_MS * Math.random());
    }
  }
}

const receivedBy = (path: string) =>
  sink.received
    .filter((message) => message.path === path)
    .map(({ body }) => (JSON.parse(body.toString()) as { data: { identity_id: number } }).data)
    .map(({ identity_id: id }) => id);

function without(ids: Iterable<number>, others: ReadonlySet<number>): readonly number[] {
  return [...ids].filter((id) => !others.has(id));
}

async function untilReceived(path: string, ids: Iterable<number>): Promise<void> {
  while (without(ids, new Set(receivedBy(path))).length > 0) await sleep(20);
}

test('a webhook receives exactly the events committed while it is registered and active', async () => {
  const { scope } = await store.environment();
  const webhooks = new RegisteredWebhooks(store, scope);
  const writers = new Writers(scope.environmentId);
  /**
   * The events that each path must receive, and the further events that it may receive because they
   * were in progress when the webhook changed.
   */
  const expected = new Map<string, { readonly must: Set<number>; readonly may: Set<number> }>();

  /** Activates a webhook and deactivates it again while others write. */
  const live = async (path: string, on: () => Promise<unknown>, off: () => Promise<unknown>) => {
    const { must, may } = expected.get(path) ?? {
      must: new Set<number>(),
      may: new Set<number>(),
    };
    expected.set(path, { must, may });
    const before = new Set(writers.committed);
    await on();
    const after = new Set(writers.begun);
    await sleep(150);
    const during = without(writers.committed, after);
    await untilReceived(path, during);
    await off();
    for (const id of during) must.add(id);
    for (const id of without(writers.begun, before)) may.add(id);
    await sleep(50);
  };

  for (let round = 0; round < ROUNDS; round++) {
    const path = `/${round}`;
    let id = 0;
    const switchTo = (isActive: boolean) => () => webhooks.change(id, { isActive });
    const register = async () => {
      id = await webhooks.register(sink.url + path);
    };
    await live(path, register, switchTo(false));
    await live(path, switchTo(true), switchTo(false));
    await live(path, switchTo(true), () => webhooks.remove(id));
  }
  await writers.stop();
  // This webhook stays registered. Once it has the last event, the dispatcher has consumed all
  // earlier events.
  const last = await webhooks.register(`${sink.url}/last`);
  await store.database.withEntities({ ...scope, locks: [] }, (tx) =>
    tx.emit({ event: 'identity_deleted', facts: { identityId: 0 } }),
  );
  await untilReceived('/last', [0]);
  await webhooks.remove(last);

  for (const [path, { must, may }] of expected) {
    const received = receivedBy(path);
    expect(must.size).toBeGreaterThan(0);
    expect(without(must, new Set(received))).toEqual([]);
    expect(without(received, may)).toEqual([]);
  }
  expect(receivedBy('/last')).toEqual([0]);
});

/** A transaction that stays open after its work until the test lets it commit. */
function hold(
  environmentId: number,
  work: (tx: Transaction) => Promise<unknown>,
): { readonly worked: Promise<undefined>; readonly commit: () => Promise<void> } {
  const [worked, mayCommit] = [
    Promise.withResolvers<undefined>(),
    Promise.withResolvers<undefined>(),
  ];
  const ended = store.database.withEntities({ environmentId, locks: [] }, async (tx) => {
    await work(tx);
    worked.resolve(undefined);
    await mayCommit.promise;
  });
  const commit = () => {
    mayCommit.resolve(undefined);
    return ended;
  };
  return { worked: worked.promise, commit };
}

const deleted = (identityId: number) =>
  ({ event: 'identity_deleted', facts: { identityId } }) as const;

test.each(['registers', 'switches on'])(
  'a webhook receives in order what others commit while a transaction %s it',
  async (what) => {
    const { scope } = await store.environment();
    const { environmentId } = scope;
    const webhooks = new RegisteredWebhooks(store, scope);
    const path = `/open/${what.slice(0, 8)}`;
    // The consumer also serves this webhook, so its position advances during the change.
    const other = await webhooks.register(`${sink.url}${path}/other`);
    const id = what === 'registers' ? null : await webhooks.register(sink.url + path);
    if (id !== null) await webhooks.change(id, { isActive: false });
    const emit = (identityId: number) =>
      store.database.withEntities({ environmentId, locks: [] }, (tx) =>
        tx.emit(deleted(identityId)),
      );

    const before = hold(environmentId, (tx) => tx.emit(deleted(1)));
    await before.worked;
    // This event was committed before the change, so it is not sent.
    await emit(0);
    const webhook = { url: sink.url + path, events: [], label: null, secret: null };
    const change = hold(environmentId, (tx) =>
      id === null ? tx.webhooks.create(webhook) : tx.webhooks.change(id, { isActive: true }),
    );
    await change.worked;
    await emit(2);
    await sleep(100);
    await change.commit();
    await emit(3);
    await sleep(100);
    await before.commit();
    await emit(4);
    await untilReceived(path, [4]);
    expect(receivedBy(path)).toEqual([1, 2, 3, 4]);
    await untilReceived(`${path}/other`, [4]);
    await webhooks.remove(other);
  },
);

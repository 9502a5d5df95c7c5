import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { ConsumerName, EventReceiver, EventStream } from '@sightline/core/events/event-stream';
import { comparePositions, type EventPosition } from '@sightline/core/events/stored-event';
import { listenUntilEnd } from '../support/services/listen-until-end.ts';
import type { StoreFixture } from '../support/fixtures/store-fixture.ts';

export interface OpenEventStream extends AsyncDisposable {
  readonly store: StoreFixture;
  /** Opens a second stream, as another process does. */
  open(): EventStream;
}

const IDENTITY = { event: 'identity_deleted', facts: { identityId: 1 } } as const;

/** Records the position of each environment's last event. */
class Receiver implements EventReceiver {
  readonly positions = new Map<number, EventPosition>();
  readonly epochs = new Set<string>();
  readonly #stop = new AbortController();
  readonly ended: Promise<unknown>;

  constructor(stream: EventStream, name: ConsumerName, fails?: () => void) {
    this.#fails = fails;
    this.ended = listenUntilEnd(() => stream.listen(name, this, this.#stop.signal));
  }

  readonly #fails: (() => void) | undefined;

  take: EventReceiver['take'] = ({ epoch, events }) => {
    for (const event of events) this.#note({ ...event, epoch });
    return Promise.resolve().then(this.#fails);
  };

  follow: EventReceiver['follow'] = (hints) => {
    for (const hint of hints) this.#note(hint);
    return Promise.resolve().then(this.#fails);
  };

  stop(reason: Error): Promise<unknown> {
    this.#stop.abort(reason);
    return this.ended;
  }

  #note({
    environmentId,
    epoch,
    position,
  }: {
    readonly environmentId: number;
    readonly epoch: string;
    readonly position: EventPosition;
  }): void {
    this.epochs.add(epoch);
    const known = this.positions.get(environmentId);
    if (known === undefined || comparePositions(position, known) > 0)
      this.positions.set(environmentId, position);
  }
}

/** The contract of all adapters of the EventStream port. */
export function describeEventStream(name: string, open: () => Promise<OpenEventStream>): void {
  describe(`${name} as a stream of events`, () => {
    let opened: OpenEventStream;
    let environments: number[];
    const receivers: Receiver[] = [];
    beforeAll(async () => {
      opened = await open();
      const { store } = opened;
      const made = [await store.environment(), await store.environment()];
      environments = made.map(({ scope }) => scope.environmentId);
    });
    afterEach(async () => {
      await Promise.all(receivers.splice(0).map((each) => each.stop(new Error('over'))));
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    function listen(consumer: ConsumerName, fails?: () => void): Receiver {
      const receiver = new Receiver(opened.open(), consumer, fails);
      receivers.push(receiver);
      return receiver;
    }

    async function emit(environmentId: number, meanwhile?: () => Promise<void>): Promise<void> {
      await opened.store.database.withEntities({ environmentId, locks: [] }, async (tx) => {
        await tx.emit(IDENTITY);
        await meanwhile?.();
      });
    }

    async function lastPosition(environmentId: number): Promise<EventPosition> {
      const [last] = await opened.store.query<EventPosition>(
        `SELECT xid::text, id FROM outbox WHERE environment_id = $1
         ORDER BY outbox.xid DESC, id DESC LIMIT 1`,
        [environmentId],
      );
      return last!;
    }

    /** Waits until one of the receivers has the last event. */
    async function untilReceived(
      listeners: readonly Receiver[],
      environmentId: number,
    ): Promise<void> {
      const last = await lastPosition(environmentId);
      const isThere = ({ positions }: Receiver) => {
        const position = positions.get(environmentId);
        return position !== undefined && comparePositions(position, last) >= 0;
      };
      while (!listeners.some(isThere)) await sleep(10);
    }

    /** Emits until an event arrives: a listener that has just started may miss earlier ones. */
    async function untilListens(...listeners: readonly Receiver[]): Promise<void> {
      const [environmentId] = environments;
      // Any event shows that a receiver listens, even an older event of another environment.
      while (!listeners.every(({ positions }) => positions.size > 0)) {
        await emit(environmentId!);
        await sleep(50);
      }
    }

    test('tells each consumer of what is committed, in all environments', async () => {
      const listeners = [listen('feed'), listen('webhooks')];
      await untilListens(...listeners);
      for (const environmentId of environments) {
        await emit(environmentId);
        for (const receiver of listeners) await untilReceived([receiver], environmentId);
      }
      const [{ epoch } = { epoch: '' }] = await opened.store.query<{ epoch: string }>(
        'SELECT outbox_epoch AS epoch FROM installation',
      );
      expect(listeners.map(({ epochs }) => [...epochs])).toEqual([[epoch], [epoch]]);
    });

    test('tells of nothing while a transaction before it is open', async () => {
      const receiver = listen('feed');
      await untilListens(receiver);
      const [first, second] = environments as [number, number];
      await emit(first);
      await untilReceived([receiver], first);
      const before = await lastPosition(first);
      await emit(second, async () => {
        await emit(first);
        await sleep(500);
        expect(receiver.positions.get(first)).toEqual(before);
      });
      await untilReceived([receiver], second);
      await untilReceived([receiver], first);
    });

    test('tells one of several that listen for one consumer', async () => {
      const listeners = [listen('feed'), listen('feed')];
      while (listeners.every(({ positions }) => positions.size === 0)) {
        await emit(environments[0]!);
        await sleep(50);
      }
      for (const environmentId of environments) {
        await emit(environmentId);
        await untilReceived(listeners, environmentId);
      }
    });

    test('ends with what the receiver throws, and may be listened to again', async () => {
      const failing = listen('webhooks', () => {
        throw new Error('no room');
      });
      await untilListens(failing);
      expect(await failing.ended).toEqual(new Error('no room'));
      await untilListens(listen('webhooks'));
    });

    test('ends with the reason of its signal', async () => {
      const receiver = listen('feed');
      await untilListens(receiver);
      const reason = new Error('stopped');
      expect(await receiver.stop(reason)).toBe(reason);
    });
  });
}

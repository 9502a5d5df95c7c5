import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { AnsweringStore } from '@sightline/core/store/answering-store';
import type { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';

/** An outage of a store, which a test begins and ends. */
export interface Outage {
  readonly begin: () => Promise<void> | void;
  readonly end: () => Promise<void> | void;
}

export interface OpenAnsweringStore extends AsyncDisposable {
  readonly store: AnsweringStore;
  /** The outages, by the names that the traits list. */
  readonly outages: Readonly<Record<string, Outage>>;
}

export interface AnsweringStoreTraits {
  /** The code of the expected error. */
  readonly code: (StoreUnavailable | VectorsUnavailable)['code'];
  readonly outages: readonly string[];
}

const reason = new Error('the caller left');

/**
 * The contract of all stores that report whether they are available. One store meets all outages in
 * turn; an answer from before an outage may stay valid for a short time.
 */
export function describeAnswers(
  name: string,
  open: () => Promise<OpenAnsweringStore>,
  { code, outages }: AnsweringStoreTraits,
): void {
  describe(`${name} as a store that is asked whether it answers`, () => {
    let opened: OpenAnsweringStore;
    const ask = (signal?: AbortSignal) => opened.store.requireAnswer(signal);
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(async () => {
      await opened[Symbol.asyncDispose]();
    });

    test('returns while it does, to everybody', async () => {
      await ask();
      await Promise.all(Array.from({ length: 20 }, () => ask()));
    });

    test('throws the reason of an abort before the call', async () => {
      await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
      await ask();
    });

    for (const outage of outages) {
      test(`throws while it is ${outage}, and returns after that`, async () => {
        await ask();
        await opened.outages[outage]!.begin();
        try {
          expect(await firstError(ask)).toMatchObject({ code });
          await expect(ask()).rejects.toMatchObject({ code });
          await expect(ask(AbortSignal.abort(reason))).rejects.toBe(reason);
        } finally {
          await opened.outages[outage]!.end();
        }
        await firstAnswer(ask);
      });

      test(`throws the reason of an abort while it is ${outage}`, async () => {
        await ask();
        await opened.outages[outage]!.begin();
        try {
          const outcome = await firstError(() => {
            const controller = new AbortController();
            const asked = ask(controller.signal);
            controller.abort(reason);
            return asked;
          });
          expect(outcome).toBe(reason);
        } finally {
          await opened.outages[outage]!.end();
        }
        await firstAnswer(ask);
      });
    }
  });
}

async function firstError(ask: () => Promise<void>): Promise<unknown> {
  for (;;) {
    try {
      await ask();
    } catch (error) {
      return error;
    }
    await turn();
  }
}

async function firstAnswer(ask: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      await ask();
      return;
    } catch {
      await turn();
    }
  }
}

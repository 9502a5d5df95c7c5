import { expect, test } from '@jest/globals';
import type { AnsweringStore } from '../store/answering-store.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { VectorsUnavailable } from '../vectors/vectors-unavailable.ts';
import { analyzeWhileAnswering } from './analyze-while-answering.ts';
import { FakeAnalyzer } from './testing/fake-analyzer.ts';

const answers: AnsweringStore = { requireAnswer: () => Promise.resolve() };

const throws = (error: Error): AnsweringStore => ({
  requireAnswer: () => Promise.reject(error),
});

/** A store that answers each probe when the test resolves it. The probes are listed in their order. */
class SlowStore implements AnsweringStore {
  readonly probes: PromiseWithResolvers<null>[] = [];
  readonly signals: (AbortSignal | undefined)[] = [];
  #awaited = Promise.withResolvers<null>();

  async requireAnswer(signal?: AbortSignal): Promise<void> {
    const probe = Promise.withResolvers<null>();
    signal?.addEventListener('abort', () => probe.reject(signal.reason));
    this.probes.push(probe);
    this.signals.push(signal);
    this.#awaited.resolve(null);
    this.#awaited = Promise.withResolvers<null>();
    await probe.promise;
  }

  async untilAsked(times: number): Promise<void> {
    while (this.probes.length < times) await this.#awaited.promise;
  }
}

/** An analyzer that runs until the test ends it or the signal aborts it. */
function start() {
  const analyzer = new FakeAnalyzer();
  const end = Promise.withResolvers<null>();
  const begun = Promise.withResolvers<AbortSignal>();
  analyzer.before = async (_, signal) => {
    signal!.addEventListener('abort', () => end.reject(signal!.reason));
    begun.resolve(signal!);
    await end.promise;
  };
  return { analyzer, end, begun: begun.promise };
}

const request = () => ({ image: new TextEncoder().encode('photo') });

test('the analysis is returned if all stores answer during it, and no store is probed afterwards', async () => {
  const { analyzer, end, begun } = start();
  const [store, other] = [new SlowStore(), new SlowStore()];
  const analysis = analyzeWhileAnswering({ analyzer, stores: [store, other] }, request());
  await begun;
  store.probes[0]!.resolve(null);
  await store.untilAsked(2);
  expect(other.probes).toHaveLength(1);
  end.resolve(null);
  expect(await analysis).toMatchObject({ image: { format: 'jpeg' } });
  for (const signal of [...store.signals, ...other.signals]) expect(signal?.aborted).toBe(true);
});

test('the analysis is returned without stores', async () => {
  const analyzer = new FakeAnalyzer();
  expect(await analyzeWhileAnswering({ analyzer, stores: [] }, request())).toBeDefined();
});

test('nothing is analyzed if a store is known to be unavailable', async () => {
  const analyzer = new FakeAnalyzer();
  const error = new VectorsUnavailable('The index is down.');
  const stores = [answers, throws(error)];
  await expect(analyzeWhileAnswering({ analyzer, stores }, request())).rejects.toBe(error);
  expect(analyzer.requests).toEqual([]);
});

test.each([1, 2, 3])(
  'the analysis is aborted when a store does not answer probe %i',
  async (nth) => {
    const { analyzer, begun } = start();
    const store = new SlowStore();
    const analysis = analyzeWhileAnswering({ analyzer, stores: [answers, store] }, request());
    const signal = await begun;
    for (let at = 1; at < nth; at++) {
      store.probes[at - 1]!.resolve(null);
      await store.untilAsked(at + 1);
    }
    expect(signal.aborted).toBe(false);
    const error = new StoreUnavailable('The store is down.');
    store.probes[nth - 1]!.reject(error);
    await expect(analysis).rejects.toBe(error);
    expect(signal.aborted).toBe(true);
  },
);

test('the first error is thrown if two stores do not answer', async () => {
  const { analyzer, begun } = start();
  const [store, other] = [new SlowStore(), new SlowStore()];
  const analysis = analyzeWhileAnswering({ analyzer, stores: [store, other] }, request());
  await begun;
  const error = new StoreUnavailable('The store is down.');
  other.probes[0]!.reject(error);
  store.probes[0]!.reject(new VectorsUnavailable('The index is down.'));
  await expect(analysis).rejects.toBe(error);
});

test('an error of the analyzer is thrown at once', async () => {
  const { analyzer, end, begun } = start();
  const store = new SlowStore();
  const analysis = analyzeWhileAnswering({ analyzer, stores: [store] }, request());
  await begun;
  const error = new Error('no image');
  end.reject(error);
  await expect(analysis).rejects.toBe(error);
  expect(store.signals[0]!.aborted).toBe(true);
});

test("the caller's abort rejects with its reason, and aborts the analysis", async () => {
  const { analyzer, begun } = start();
  const store = new SlowStore();
  const controller = new AbortController();
  const stores = [store];
  const analysis = analyzeWhileAnswering({ analyzer, stores }, request(), controller.signal);
  const signal = await begun;
  const reason = new Error('the caller left');
  store.probes[0]!.reject(new StoreUnavailable('The store is down.'));
  controller.abort(reason);
  await expect(analysis).rejects.toBe(reason);
  expect(signal.reason).toBe(reason);
});

test('after an abort no store is probed', async () => {
  const analyzer = new FakeAnalyzer();
  const store = new SlowStore();
  const reason = new Error('the caller left');
  const analysis = analyzeWhileAnswering(
    { analyzer, stores: [store] },
    request(),
    AbortSignal.abort(reason),
  );
  await expect(analysis).rejects.toBe(reason);
  expect([store.probes, analyzer.requests]).toEqual([[], []]);
});

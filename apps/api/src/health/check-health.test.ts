import { describe, expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { JobsState } from '@sightline/core/jobs/job-queue';
import type { IndexReader } from '@sightline/core/vectors/index-status';
import { checkHealth, type HealthCheck, type HealthSources } from './check-health.ts';

const works: HealthCheck = () => Promise.resolve(true);
const fails: HealthCheck = () => Promise.resolve(false);
const throws = () => Promise.reject(new Error('down'));
const hangs = () => new Promise<never>(() => undefined);

const NO_JOBS: JobsState = { unfinished: [] };

const ALL_OK = { database: 'ok', vectors: 'ok', media: 'ok', events: 'ok' };

const FLOW = { lags: { feed: 0, webhooks: 0 }, horizonAgeSeconds: 0, kafka: null };

const INDEX: IndexReader = {
  name: 'shared',
  state: 'filled',
  backlog: 2,
  oldestSeconds: 0,
  filling: null,
  filledAt: new Date(0),
  lastSeenAt: new Date(0),
  unseenSeconds: 0,
  comparedAt: null,
  drift: null,
};

function sources(changes: Partial<HealthSources['checks']> = {}): HealthSources {
  return {
    analyzer: new FakeAnalyzer(),
    checks: { database: works, vectors: works, media: works, events: works, ...changes },
    jobs: () => Promise.resolve(NO_JOBS),
    index: () => Promise.resolve(INDEX),
    rolledBack: () => Promise.resolve([]),
    similarity: () => Promise.resolve(null),
    events: () => Promise.resolve(FLOW),
  };
}

describe('checkHealth', () => {
  test('is ok if everything works', async () => {
    await expect(checkHealth(sources())).resolves.toMatchObject({
      status: 'ok',
      checks: ALL_OK,
      reasons: [],
      analyzer: { provider: 'cpu' },
      reembed: null,
      index: INDEX,
      flow: FLOW,
    });
  });

  test.each(['vectors', 'media', 'events'] as const)('is degraded without %s', async (part) => {
    for (const check of [fails, throws]) {
      const report = await checkHealth(sources({ [part]: check }));
      expect(report).toMatchObject({ status: 'degraded', checks: { ...ALL_OK, [part]: 'failed' } });
    }
  });

  test('repeats the message of a part once, and nothing of other errors', async () => {
    const full = () => Promise.reject(new StoreUnavailable('There is no room.'));
    const report = await checkHealth(sources({ media: full, events: full, vectors: throws }));
    expect(report).toMatchObject({ status: 'degraded', reasons: ['There is no room.'] });
  });

  test('is degraded without a model', async () => {
    const analyzer = new FakeAnalyzer();
    analyzer.models = [];
    const report = await checkHealth({ ...sources(), analyzer });
    expect(report).toMatchObject({ status: 'degraded', checks: ALL_OK });
  });

  test('is degraded while faces get their embeddings of a new model', async () => {
    const reembed = { total: 10, done: 3, failed: 1 };
    const unfinished = [
      { type: 'reembed' as const, jobs: 2, stillSeconds: 5, waitingSeconds: 0, ...reembed },
    ];
    const jobs = () => Promise.resolve({ unfinished });
    const report = await checkHealth({ ...sources(), jobs });
    expect(report).toMatchObject({ status: 'degraded', checks: ALL_OK, reembed });
  });

  test('is degraded by a job without progress, and distinguishes it from a job that waits', async () => {
    const counts = { type: 'import' as const, jobs: 1, total: 9, done: 3, failed: 6 };
    const state = (stillSeconds: number, waitingSeconds = 0) => ({
      ...sources(),
      jobs: () => Promise.resolve({ unfinished: [{ ...counts, stillSeconds, waitingSeconds }] }),
    });
    expect(await checkHealth(state(299, 299))).toMatchObject({ status: 'ok', reasons: [] });
    expect(await checkHealth(state(340))).toMatchObject({
      status: 'degraded',
      reasons: ['A job of type import has made no progress for 5 minutes.'],
    });
    expect(await checkHealth(state(0, 600))).toMatchObject({
      status: 'degraded',
      reasons: [
        'A job of type import has waited for 10 minutes: a service that it needs is unavailable.',
      ],
    });
  });

  test('suggestions that are late are named, and degrade nothing', async () => {
    const similarity = (oldestSeconds: number) => () => Promise.resolve({ oldestSeconds });
    const late = await checkHealth({ ...sources(), similarity: similarity(125) });
    expect(late).toMatchObject({
      status: 'ok',
      reasons: ['Suggestions, groups and mismatches are 2 minutes behind.'],
    });
    const onTime = await checkHealth({ ...sources(), similarity: similarity(59) });
    expect(onTime.reasons).toEqual([]);
  });

  test('is ok after a new model was rolled back, and says why', async () => {
    const reason = '3 worker threads died with the model new within a minute: old is active again.';
    const rolledBack = () => Promise.resolve([reason]);
    const report = await checkHealth({ ...sources(), rolledBack });
    expect(report).toMatchObject({ status: 'ok', reasons: [reason] });
  });

  test('is ok while an index answers during its rebuild', async () => {
    const index = { ...INDEX, state: 'rebuild_requested', filling: 3 } as const;
    const report = await checkHealth({ ...sources(), index: () => Promise.resolve(index) });
    expect(report).toMatchObject({ status: 'ok', checks: ALL_OK, index });
  });

  test('is unavailable without the database, whose migrations are then unknown', async () => {
    const down = {
      ...sources({ database: fails, events: fails }),
      jobs: throws,
      index: throws,
      rolledBack: throws,
    };
    await expect(checkHealth(down)).resolves.toMatchObject({
      status: 'unavailable',
      reembed: null,
      index: null,
    });
  });

  test('is degraded while inference is not ready or does not answer', async () => {
    const analyzer = new FakeAnalyzer();
    analyzer.ready = false;
    expect((await checkHealth({ ...sources(), analyzer })).status).toBe('degraded');
    analyzer.status = throws;
    await expect(checkHealth({ ...sources(), analyzer })).resolves.toMatchObject({
      status: 'degraded',
      analyzer: null,
    });
  });

  test('does not wait for a part that hangs', async () => {
    const all = { jobs: hangs, index: hangs, rolledBack: hangs };
    const report = await checkHealth({ ...sources({ media: hangs }), ...all });
    expect(report).toMatchObject({
      status: 'degraded',
      checks: { media: 'failed' },
      reembed: null,
      index: null,
    });
  });
});

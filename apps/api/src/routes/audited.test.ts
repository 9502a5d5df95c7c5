import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { isForEnvironment, type RouteContract } from '@sightline/contracts/define-contract';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { photo } from '../testing/people.ts';
import { type SampleLibrary, sampleLibrary } from '../testing/sample-library.ts';
import { callWithSample, type Operation, type Samples } from '../testing/sample-request.ts';

/** Requests that decide nothing about people's data, so that the audit has no entry of them. */
const NOT_AUDITED: readonly Operation[] = [
  // These store what a photo shows.
  'detectAll',
  'detectFaces',
  'detectObjects',
  'reprocessImage',
  // These change nothing. The setting `audit.reads` includes the first ones.
  'identifyFaces',
  'verifyFaces',
  'testImage',
  'testBatch',
  'queryDetections',
];

/** The active model is activated again, and has no address. The tests of models have these requests. */
const OF_OTHER_MODELS: readonly Operation[] = ['activateModel', 'downloadModel'];

/** Returns the samples of requests that need other records, or the same ones in another state. */
const BEFORE: Readonly<Partial<Record<Operation, (ours: SampleLibrary) => Promise<Samples>>>> = {
  restoreFace: async ({ detection: id, samples }) => {
    await api.client.rejectFace({ path: { id } });
    return samples;
  },
  enrollFace: ({ samples }) => Promise.resolve({ ...samples, file: photo('170') }),
  cancelJob: ({ samples }) => withJob(samples),
  retryJob: async ({ samples }) => {
    const changed = await withJob(samples);
    await api.client.cancelJob({ path: { id: Number(changed.records.jobs!.id) } });
    return changed;
  },
};

/** Samples with a job that has not ended. */
async function withJob(samples: Samples): Promise<Samples> {
  const { id: environmentId } = await api.stores.keys.environment(api.environment);
  const { id } = await createJob(api.stores, { scope: { environmentId } }, imagesJob(1));
  return { ...samples, records: { ...samples.records, jobs: { id } } };
}

const operations = (Object.entries(API_CONTRACTS) as [Operation, RouteContract][])
  .filter(([, { right, method }]) => isForEnvironment(right) && method !== 'GET')
  .map(([operation]) => operation);

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(() => api.reset());
afterAll(() => api[Symbol.asyncDispose]());

const exceptions = [...NOT_AUDITED, ...OF_OTHER_MODELS];

test.each(operations.filter((operation) => !exceptions.includes(operation)))(
  'the audit has %s',
  async (operation) => {
    const ours = await sampleLibrary(api);
    const samples = (await BEFORE[operation]?.(ours)) ?? ours.samples;
    const client = await api.clientOf({ isAdmin: true });
    const headers = { 'X-Request-Id': 'audited' };
    const { status, problem } = await callWithSample(client, operation, {
      ...samples,
      headers,
    });
    expect({ status: Math.floor(status / 100), problem }).toEqual({ status: 2, problem: null });
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const newest = { after: null, limit: 200 };
    const entries = [
      ...(await api.stores.audit.list({ environmentId }, newest)).items,
      ...(await api.stores.audit.list({ environmentId: null }, newest)).items,
    ];
    expect(entries.filter(({ requestId }) => requestId === 'audited')).not.toEqual([]);
  },
);

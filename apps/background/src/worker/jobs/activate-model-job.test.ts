import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { DesiredSlot } from '@sightline/core/activation/rollout-source';
import { slotOf } from '@sightline/core/models/model-slot';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '@sightline/core/models/testing/sample-models';
import { createLogger } from '@sightline/platform/logging/logger';
import { activateModelJob } from './activate-model-job.ts';

const FACES: RegisteredModel = { ...FACE_MODEL, id: 1 };
const OBJECTS: RegisteredModel = { ...OBJECT_MODEL, id: 2, revision: 'b'.repeat(64) };

const desiredOf = (model: RegisteredModel, isApproved: boolean): DesiredSlot => ({
  slot: slotOf(model),
  generation: 1,
  model,
  availability: { kind: 'available' },
  isApproved,
  reembed: 'before',
  rolledBack: null,
});

const unused = () => {
  throw new Error('No image is embedded.');
};

test('objects are switched while the job of faces waits for an approval', async () => {
  const models = [FACES, OBJECTS];
  const activated: number[] = [];
  let holder: string | null = null;
  const modelStore = {
    register: () => Promise.resolve([]),
    joinForeign: () => Promise.resolve(),
    roles: () => Promise.resolve({ active: [], pending: models, previous: [] }),
    activate: (id: number) => {
      activated.push(id);
      return Promise.resolve(true);
    },
  };
  const report = models.map((model) => warmModel(model));
  const work = activateModelJob({
    database: { withScope: unused, withEntities: unused, deferred: unused, ready: unused },
    media: { open: unused, requireAnswer: unused },
    analyzer: new FakeAnalyzer(),
    models: new ModelRegistry(modelStore),
    changeLog: { backlog: unused },
    source: {
      isExclusive: false,
      availableWithinMs: Infinity,
      desired: () => Promise.resolve([desiredOf(FACES, false), desiredOf(OBJECTS, true)]),
      publish: () => Promise.resolve(),
    },
    hosts: {
      statuses: () => Promise.resolve([{ ready: true, provider: 'cpu', models: [], report }]),
    },
    modelStore,
    activations: { countEnrolledBehind: unused, enrolledBehind: unused },
    concurrency: 1,
    leases: {
      hold: (_, by) => Promise.resolve((holder ??= by) === by),
      release: () => Promise.resolve(void (holder = null)),
    },
    logger: createLogger({ level: 'silent' }),
  });
  const stop = new AbortController();
  const begin = ({ id: modelId }: RegisteredModel) => {
    const job = { params: { modelId, reembed: 'before' } };
    const done = () => Promise.resolve();
    const tools = {
      signal: stop.signal,
      report: done,
      check: done,
      advance: done,
      settle: unused,
      end: done,
    };
    return work({ job } as ClaimedItem<'activate_model'>, tools);
  };
  const waiting = begin(FACES).catch((error: unknown) => error);
  await begin(OBJECTS);
  expect(activated).toEqual([OBJECTS.id]);
  stop.abort();
  expect(await waiting).toMatchObject({ name: 'AbortError' });
});

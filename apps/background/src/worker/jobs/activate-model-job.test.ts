import { expect, test } from '@jest/globals';
import { FakeAnalyzer } from '@sightline/core/analysis/testing/fake-analyzer';
import type { ClaimedItem } from '@sightline/core/jobs/job-item';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import type { DeclaredModel, DeclaredRoute } from '@sightline/core/models/model-routes';
import { slotOf } from '@sightline/core/models/model-slot';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { OfferedModels } from '@sightline/core/reembedding/offered-models';
import { createLogger } from '@sightline/platform/logging/logger';
import { activateModelJob } from './activate-model-job.ts';

const FACES: RegisteredModel = { ...FACE_MODEL, id: 1 };
const OBJECTS: RegisteredModel = { ...OBJECT_MODEL, id: 2, revision: 'b'.repeat(64) };

const routeOf = (model: RegisteredModel, approved: DeclaredRoute['approved']): DeclaredRoute => ({
  slot: slotOf(model),
  generation: 1,
  wanted: { name: model.name, revision: model.revision } as DeclaredModel,
  isOffered: true,
  approved,
  reembed: 'before',
  gaveWay: null,
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
    roles: () => Promise.resolve({ active: [], pending: models, previous: [] }),
    activate: (id: number) => {
      activated.push(id);
      return Promise.resolve(true);
    },
  };
  const held = models.map(
    (model) => ({ ...model, state: 'warm', error: null, deaths: 0 }) as const,
  );
  const work = activateModelJob({
    database: { withScope: unused, withEntities: unused, ready: unused },
    media: { open: unused, requireAnswer: unused },
    analyzer: new FakeAnalyzer(),
    models: new ModelRegistry(modelStore),
    changeLog: { backlog: unused },
    comingModels: new OfferedModels({
      routes: {
        routes: () => Promise.resolve([routeOf(FACES, { revision: null }), routeOf(OBJECTS, null)]),
      },
      hosts: {
        statuses: () => Promise.resolve([{ ready: true, provider: 'cpu', models: [], held }]),
      },
    }),
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
    const tools = { signal: stop.signal, report: done, check: done, settle: unused, end: done };
    return work({ job } as ClaimedItem<'activate_model'>, tools);
  };
  const waiting = begin(FACES).catch((error: unknown) => error);
  await begin(OBJECTS);
  expect(activated).toEqual([OBJECTS.id]);
  stop.abort();
  expect(await waiting).toMatchObject({ name: 'AbortError' });
});

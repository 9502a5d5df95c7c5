import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { labelDetections } from '@sightline/core/curation/label-detections';
import { type ReviewAction, reviewFaces } from '@sightline/core/curation/review-faces';
import type { Database } from '@sightline/core/database/database';
import type { DomainError } from '@sightline/core/domain-error';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import fc from 'fast-check';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let ann: number;
let ids: readonly number[];

/** The number of faces that one transaction changes. */
const GROUP = 20;
const FACES = 2 * GROUP + 5;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ann = await home.identity('Ann');
  const embedding = { modelId: store.faceModelId, vector: direction(10) };
  ({ ids } = await home.photo(Array.from({ length: FACES }, () => ({ embedding }))));
  await home.events();
});

afterAll(async () => {
  expect(await store.maintenance.contradictions()).toEqual([]);
  await store[Symbol.asyncDispose]();
});

function review(
  asked: ReviewAction,
  changes: Partial<Pick<StoreFixture, 'database' | 'models'>> = {},
) {
  return reviewFaces({ ...store, ...changes }, { scope: home.scope, ids, review: asked });
}

/** Returns the faces that events report as labeled, in the order of the events. */
async function labeled(): Promise<readonly number[]> {
  return (await home.events()).flatMap(({ event, data }) =>
    event === 'detection.labeled' && data.identity_id !== null ? [data.detection_id] : [],
  );
}

/** Returns the database with a step before each writing transaction. */
function before(step: (count: number) => void | Promise<void>): Database {
  let count = 0;
  const { database } = store;
  return {
    withScope: (scope, read, signal) => database.withScope(scope, read, signal),
    ready: (signal) => database.ready(signal),
    deferred: () => database.deferred(),
    async withEntities(scope, write, signal) {
      await step(count++);
      return database.withEntities(scope, write, signal);
    },
  };
}

describe('reviewFaces', () => {
  test('goes through the faces in the order given', async () => {
    ids = ids.toReversed();
    const confirm = { action: 'confirm', identityId: ann } as const;
    expect(await review(confirm)).toEqual({ processed: FACES, errors: [] });
    expect(await labeled()).toEqual(ids);
    expect(await review(confirm)).toEqual({ processed: FACES, errors: [] });
    expect(await labeled()).toEqual([]);
  });

  test('when the database goes away, what was done stays, and the same request does the rest', async () => {
    const confirm = { action: 'confirm', identityId: ann } as const;
    const database = before((count) => {
      if (count === 2) throw new StoreUnavailable('The database is down.');
    });
    await expect(review(confirm, { database })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(await labeled()).toEqual(ids.slice(0, 2 * GROUP));
    expect(await review(confirm)).toMatchObject({ processed: FACES });
    expect(await labeled()).toEqual(ids.slice(2 * GROUP));
  });

  test('an abort ends it between two transactions', async () => {
    const abort = new AbortController();
    const database = before((count) => {
      if (count === 1) abort.abort(new Error('gone'));
    });
    const request = { scope: home.scope, ids, review: { action: 'reject' } as const };
    const aborted = reviewFaces({ ...store, database }, request, { signal: abort.signal });
    await expect(aborted).rejects.toThrow('gone');
    const found = await Promise.all(ids.map((id) => home.detection(id)));
    const rejected = found.map((face) => face!.reviewStatus === 'rejected');
    expect(rejected).toEqual(ids.map((_, i) => i < GROUP));
  });

  test('an identity that is deleted in the middle is an error of each face of the next transactions', async () => {
    const database = before(async (count) => {
      if (count === 1) await deleteIdentity(store, { scope: home.scope, id: ann });
    });
    const { processed, errors } = await review(
      { action: 'reassign', identityId: ann },
      { database },
    );
    expect(processed).toBe(GROUP);
    expect(errors.map(({ id, error }) => [id, error.code])).toEqual(
      ids.slice(GROUP).map((id) => [id, 'not_found']),
    );
    const left = await Promise.all(ids.map((id) => home.detection(id)));
    // The first faces were deleted with the identity.
    const identities = left.map((face) => face?.identityId);
    expect(identities).toEqual(ids.map((_, i) => (i < GROUP ? undefined : null)));
  });

  test('after a change of the model, faces are enrolled for the new one', async () => {
    const database = before(async (count) => {
      if (count === 1) await store.models.activate(store.retiredFaceModelId);
    });
    const { processed } = await review({ action: 'confirm', identityId: ann }, { database });
    await store.models.activate(store.faceModelId);
    expect(processed).toBe(FACES);
    const references = await store.database.withScope(home.scope, (stores) =>
      stores.references.ofDetections(ids),
    );
    // A face without a vector of the new model gets a reference of the model whose vector it has.
    expect(references.map(({ detectionId }) => detectionId)).toEqual(ids);
    expect(new Set(references.map((reference) => reference.modelId))).toEqual(
      new Set([store.faceModelId]),
    );
  });

  test('settles once, after the last face', async () => {
    const settled: unknown[] = [];
    const request = { scope: home.scope, ids, review: { action: 'reject' } as const };
    const result = await reviewFaces(store, request, {
      settle: async (tx, answer) => {
        const last = await tx.detections.byId(ids.at(-1)!);
        settled.push([last!.reviewStatus, answer]);
      },
    });
    expect(settled).toEqual([['rejected', result]]);
  });
});

describe('labelDetections', () => {
  test('creates an identity once, and finds it for the items after', async () => {
    const target = { label: 'Bea' };
    const items = ids.map((id) => ({ id, target }));
    let transactions = 0;
    const database = before(() => {
      transactions++;
    });
    const outcomes = await labelDetections({ ...store, database }, { scope: home.scope, items });
    expect(outcomes).toEqual(ids.map((id) => ({ id, error: null })));
    expect(transactions).toBe(3);
    const events = (await home.events()).map(({ event }) => event);
    expect(events.filter((event) => event === 'identity.created')).toHaveLength(1);
    expect(events.slice(0, 3)).toEqual([
      'identity.created',
      'detection.labeled',
      'identity.updated',
    ]);
  });

  test('labels a detection again that is named twice', async () => {
    const [first, second] = ids;
    const items = ['Bea', 'Cleo', 'Bea'].map((label) => ({ id: first!, target: { label } }));
    items.splice(1, 0, { id: second!, target: { label: 'Dora' } });
    const outcomes = await labelDetections(store, { scope: home.scope, items });
    expect(outcomes.map(({ error }) => error)).toEqual([null, null, null, null]);
    expect(await labeled()).toEqual([first, second, first, first]);
    expect((await home.detection(first!))!.label).toBe('Bea');
  });

  test('needs no transaction for unknown detections alone', async () => {
    const target = { label: 'Bea' };
    const items = [999_999_998, 999_999_999].map((id) => ({ id, target }));
    const database = before(() => {
      throw new Error('A transaction began.');
    });
    const outcomes = await labelDetections({ ...store, database }, { scope: home.scope, items });
    expect(outcomes.map(({ error }) => error?.message)).toEqual([
      'There is no detection 999999998.',
      'There is no detection 999999999.',
    ]);
  });

  test('reads all identities that a group names with one statement', async () => {
    const named = await Promise.all(ids.slice(0, GROUP).map((_, i) => home.identity(`P${i}`)));
    const items = named.map((identityId, i) => ({ id: ids[i]!, target: { identityId } }));
    const reads: jest.SpiedFunction<(ids: never) => unknown>[] = [];
    const database: Database = {
      ...before(() => undefined),
      withEntities: (scope, write, signal) => {
        const watched: typeof write = (tx) => {
          reads.push(jest.spyOn(tx.identities, 'byId'), jest.spyOn(tx.identities, 'byIds'));
          return write(tx);
        };
        return store.database.withEntities(scope, watched, signal);
      },
    };
    const outcomes = await labelDetections({ ...store, database }, { scope: home.scope, items });
    expect(outcomes.every(({ error }) => error === null)).toBe(true);
    expect(reads.map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  });

  test('a refused item creates no identity', async () => {
    const items = [
      { id: 999_999_999, target: { label: 'Nobody' } },
      { id: ids[0]!, target: { label: 'Bea' } },
    ];
    const outcomes = await labelDetections(store, { scope: home.scope, items });
    expect(outcomes.map(({ error }) => error?.code)).toEqual(['not_found', undefined]);
    const created = (await home.events()).filter(({ event }) => event === 'identity.created');
    expect(created.map(({ data }) => data)).toMatchObject([{ label: 'Bea' }]);
  });
});

test('faces that change identities in both directions leave the means right', async () => {
  const bea = await home.identity('Bea');
  const [half, rest] = [ids.slice(0, 10), ids.slice(10, GROUP)];
  const label = (given: readonly number[], identityId: number) =>
    given.map((id) => ({ id, target: { identityId } }));
  const { scope } = home;
  await labelDetections(store, { scope, items: [...label(half, ann), ...label(rest, bea)] });
  await labelDetections(store, { scope, items: [...label(half, bea), ...label(rest, ann)] });
  const references = await store.database.withScope(scope, (stores) =>
    stores.references.ofDetections(ids),
  );
  expect(references.map(({ identityId }) => identityId)).toEqual(
    ids.slice(0, GROUP).map((_, i) => (i < 10 ? bea : ann)),
  );
  expect(await store.maintenance.contradictions()).toEqual([]);
});

/** A step of a random script: an action on faces by their indices, with one of a few identities. */
const step = fc.record({
  action: fc.constantFrom('label', 'confirm', 'unassign', 'reject', 'restore'),
  faces: fc.array(fc.nat(5), { minLength: 1, maxLength: 8 }),
  people: fc.array(fc.constantFrom('Ann', 'Bea', 'Cleo'), { minLength: 8, maxLength: 8 }),
});

test('a batch leaves the events and rows that the same actions leave one by one', async () => {
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 4, maxLength: 6 }),
    async (steps) => {
      const results = await Promise.all(
        [inBatches, oneByOne].map(async (run) => {
          const own = await store.environment();
          const embedding = { modelId: store.faceModelId, vector: direction(10) };
          const photo = await own.photo(Array.from({ length: 6 }, () => ({ embedding })));
          const people = new Map<string, number>();
          for (const name of ['Ann', 'Bea']) people.set(name, await own.identity(name));
          await own.events();
          const refusals = [];
          const subject = { home: own, ids: photo.ids, people };
          for (const each of steps) refusals.push(await run(subject, each));
          return { refusals, ...(await traceOf(own, photo.ids)) };
        }),
      );
      expect(results[0]).toEqual(results[1]);
    },
  );
  await fc.assert(property, { numRuns: 12, endOnFailure: true, seed: 20_261_127 });
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
interface Subject {
  readonly home: SeededEnvironment;
  readonly ids: readonly number[];
  /** The ids of identities, by label. */
  readonly people: ReadonlyMap<string, number>;
}
type Run = (subject: Subject, step: Step) => Promise<readonly (string | undefined)[]>;

const inBatches: Run = async ({ home: { scope }, ids, people }, given) => {
  const { action, faces, people: names } = given;
  if (action === 'label') {
    const items = faces.map((face, i) => ({ id: ids[face]!, target: { label: names[i]! } }));
    const outcomes = await labelDetections(store, { scope, items });
    return outcomes.map(({ error }) => error?.code);
  }
  const chosen = [...new Set(faces)].map((face) => ids[face]!);
  const review =
    action === 'confirm'
      ? { action, identityId: people.get('Bea')! }
      : { action: action as 'unassign' };
  const { errors } = await reviewFaces(store, { scope, ids: chosen, review });
  const codes = new Map(errors.map(({ id, error }) => [id, error.code]));
  return chosen.map((id) => codes.get(id));
};

const oneByOne: Run = async ({ home: { scope }, ids, people }, given) => {
  const { action, faces, people: names } = given;
  const codes: (string | undefined)[] = [];
  for (const [i, face] of (action === 'label' ? faces : [...new Set(faces)]).entries()) {
    const request = { scope, id: ids[face]! };
    const acting =
      action === 'label'
        ? actOnFace(store, { ...request, action: 'relabel', target: { label: names[i]! } })
        : actOnFace(store, {
            ...request,
            action,
            ...(action === 'confirm' && { target: { identityId: people.get('Bea')! } }),
          });
    codes.push(
      await acting.then(
        () => undefined,
        (error: unknown) => (error as DomainError).code,
      ),
    );
  }
  return codes;
};

/** The events and the faces, with ids relative to the first one of their kind. */
async function traceOf(own: SeededEnvironment, ids: readonly number[]) {
  const { scope } = own;
  const events = await own.events();
  const identities = await store.database.withScope(scope, (stores) =>
    stores.identities.list({}, { after: null, limit: null }),
  );
  const labels = new Map(identities.items.map(({ id, label }) => [id, label]));
  const records = await store.database.withScope(scope, (stores) =>
    stores.faceRecords.byIds(ids, store.faceModelId),
  );
  return {
    events: events.map(({ event, data }) => {
      const { detection_id: face, identity_id: identity, action } = data as Record<string, unknown>;
      const label = identity === null ? null : labels.get(identity as number);
      return [event, action, face === undefined ? null : ids.indexOf(face as number), label];
    }),
    faces: records.map(({ detection, references, rejections }) => ({
      ...detection,
      id: ids.indexOf(detection.id),
      identityId: labels.get(detection.identityId ?? 0),
      references: references.map(({ identityId }) => labels.get(identityId)),
      rejections: rejections.map((one) => [labels.get(one.identityId), one.isLatest]).sort(),
    })),
  };
}

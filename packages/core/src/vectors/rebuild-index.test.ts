import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { indexChanges } from './index-changes.ts';
import type { PlacedPoint } from './index-source.ts';
import { rebuildIndex, type RebuildDeps } from './rebuild-index.ts';
import { RaceWorld, type RaceEvent } from './testing/race-world.ts';
import { VectorsUnavailable } from './vectors-unavailable.ts';

/** One step of a process that maintains the index. */
type Step = (deps: RebuildDeps) => Promise<unknown>;

/**
 * Runs steps as a worker does. If a step fails because the index is incomplete or the draft was discarded, the next
 * step runs.
 */
async function keep(deps: RebuildDeps, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    await step(deps).catch((error: unknown) => {
      if (!(error instanceof VectorsUnavailable)) throw error;
    });
  }
}

/** The dependencies of a process that is suspended whenever it has read rows. */
function pausing(deps: RebuildDeps, scheduler: fc.Scheduler): RebuildDeps {
  const points: typeof deps.source.points = async (...call) => {
    const read = await deps.source.points(...call);
    for (let turn = 0; turn < 10; turn++) await scheduler.schedule(Promise.resolve());
    return read;
  };
  return { ...deps, source: { ...deps.source, points } };
}

async function isKept({ changeLog, index }: RebuildDeps): Promise<boolean> {
  return (await changeLog.state()) === 'filled' && (await index.state()) === 'ready';
}

/** Runs the steps of a single worker until the index is up to date. */
async function settle(deps: RebuildDeps): Promise<void> {
  while (!(await isKept(deps))) await rebuildIndex(deps);
  while ((await deps.changeLog.backlog()) > 0) await indexChanges(deps);
}

function sorted(content: ReadonlyMap<number, number | null> | null): (readonly unknown[])[] {
  return [...(content ?? [])].sort(([a], [b]) => a - b);
}

const rebuild: Step = (deps) => rebuildIndex(deps);
const index: Step = (deps) => indexChanges(deps);
const steps = fc.array(fc.constantFrom(rebuild, index), {
  minLength: 2,
  maxLength: 6,
  size: 'max',
});
const parts = {
  id: fc.integer({ min: 1, max: 5 }),
  identityId: fc.constantFrom<number | null | 'deleted'>(null, 1, 2, 'deleted'),
};
const write = fc.record(parts);
const events = fc.array<RaceEvent>(
  fc.oneof(
    { arbitrary: write, weight: 25 },
    { arbitrary: fc.constantFrom('index lost' as const, 'reader forgotten' as const), weight: 1 },
  ),
  { minLength: 20, maxLength: 80, size: 'max' },
);

function seeded(scheduler: fc.Scheduler): RaceWorld {
  const world = new RaceWorld(scheduler);
  world.apply({ id: 1, identityId: 1 });
  world.apply({ id: 2, identityId: null });
  return world;
}

describe('an index that is filled and updated while other processes write', () => {
  test('lacks only pending changes whenever matching may use it', async () => {
    let served = 0;
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), events, steps, async (scheduler, raced, kept) => {
        const world = seeded(scheduler);
        const unseen: number[] = [];
        world.onEffect = () => unseen.push(...world.blindSpots());
        await scheduler.waitFor(
          Promise.all([world.applyAll(raced), keep(world.connect(), [rebuild, ...kept])]),
        );
        expect(unseen).toEqual([]);
        if (await scheduler.waitFor(isKept(world.connect()))) served++;
      }),
      { numRuns: 150 },
    );
    expect(served).toBeGreaterThan(30);
  });

  test('has no outdated points, even if a suspended process continues beside another one', async () => {
    const few = fc.array(fc.record({ ...parts, id: fc.constant(1) }), {
      minLength: 2,
      maxLength: 8,
      size: 'max',
    });
    const turns = Array.from({ length: 5 }, () => index);
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), few, async (scheduler, raced) => {
        const world = seeded(scheduler);
        await scheduler.waitFor(settle(world.connect()));
        await scheduler.waitFor(
          Promise.all([
            world.applyAll(raced),
            keep(pausing(world.connect(), scheduler), turns),
            keep(world.connect(), turns),
          ]),
        );
        await scheduler.waitFor(settle(world.connect()));
        expect(sorted(world.indexed)).toEqual(sorted(world.rows));
      }),
      { numRuns: 150 },
    );
  });

  test('finally equals the rows, even if two processes fill it at the same time', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        ...([events, fc.tuple(steps, steps)] as const),
        async (scheduler, raced, [one, other]) => {
          const world = seeded(scheduler);
          await scheduler.waitFor(
            Promise.all([
              world.applyAll(raced),
              keep(world.connect(), [rebuild, ...one]),
              keep(world.connect(), other),
            ]),
          );
          await scheduler.waitFor(settle(world.connect()));
          expect(sorted(world.indexed)).toEqual(sorted(world.rows));
        },
      ),
      { numRuns: 150 },
    );
  });

  test('stays available during its rebuild', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(write, { minLength: 5, maxLength: 30, size: 'max' }),
        async (scheduler, raced) => {
          const world = seeded(scheduler);
          await scheduler.waitFor(settle(world.connect()));
          let paused = 0;
          world.onEffect = () => (paused += world.serves ? 0 : 1);
          await scheduler.waitFor(
            Promise.all([world.applyAll(raced), keep(world.connect(), [rebuild])]),
          );
          expect(paused).toBe(0);
        },
      ),
      { numRuns: 30 },
    );
  });
});

test('a reader that another process has registered again is not marked as filled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const world = seeded(scheduler);
      const [paused, other] = [world.connect(), world.connect()];
      const begin = async () => {
        const draft = await paused.index.begin();
        const publish = async () => {
          await draft.publish();
          await other.changeLog.follow();
        };
        return { ...draft, publish };
      };
      const filled = rebuildIndex({ ...paused, index: { ...paused.index, begin } });
      expect(await scheduler.waitFor(filled)).toBeNull();
      expect(await scheduler.waitFor(other.changeLog.state())).toBe('unfilled');
    }),
    { numRuns: 1 },
  );
});

test('a page spans several environments', async () => {
  const placed = Array.from({ length: 5000 }, (_, i): PlacedPoint => ({
    space: { environmentId: i + 1, modelId: 1, kind: 'faces', dimension: 1 },
    point: { id: 5000 - i, identityId: null, fingerprint: 0, vector: Float32Array.of(1) },
  }));
  let pages = 0;
  const source: RebuildDeps['source'] = {
    points: () => Promise.resolve([]),
    scan: (kind, { after, limit }) => {
      pages++;
      const rest = placed.filter(({ space }) => space.environmentId > after.environmentId);
      return Promise.resolve(kind === 'faces' ? rest.slice(0, limit) : []);
    },
  };
  const scheduler = { schedule: <T>(task: Promise<T>) => task };
  const world = new RaceWorld(scheduler).connect();
  expect(await rebuildIndex({ ...world, source })).toBe(5000);
  expect(pages).toBe(5);
});

describe('a row whose vector cannot be compared', () => {
  const space = { environmentId: 1, modelId: 1, kind: 'faces', dimension: 1 } as const;
  const points = [
    { id: 1, identityId: null, fingerprint: 0, vector: Float32Array.of(1, 0) },
    { id: 2, identityId: null, fingerprint: 0, vector: Float32Array.of(1) },
  ];
  const written: number[] = [];
  const removed: number[] = [];
  const world = new RaceWorld({ schedule: (task) => task }).connect();
  const source: RebuildDeps['source'] = {
    points: () => Promise.resolve(points),
    scan: (kind) =>
      Promise.resolve(kind === 'faces' ? points.map((point) => ({ space, point })) : []),
  };
  const writer = {
    upsert: (_: unknown, some: readonly { readonly id: number }[]) => {
      written.push(...some.map(({ id }) => id));
      return Promise.resolve();
    },
    remove: (_: unknown, ids: readonly number[]) => {
      removed.push(...ids);
      return Promise.resolve();
    },
  };

  beforeEach(() => {
    written.length = 0;
  });

  test('is left out when the index is filled', async () => {
    const begin: RebuildDeps['index']['begin'] = async (...call) => ({
      ...(await world.index.begin(...call)),
      ...writer,
      publish: () => Promise.resolve(),
    });
    await rebuildIndex({ ...world, source, index: { ...world.index, begin } });
    expect(written).toEqual([2]);
  });

  test('is removed from the index when it changes', async () => {
    const change = { id: 7, space, entityId: 1 };
    const other = { id: 8, space, entityId: 2 };
    await indexChanges({
      source,
      index: writer,
      changeLog: {
        changes: () => Promise.resolve([change, other]),
        acknowledge: () => Promise.resolve(2),
        note: () => Promise.resolve(),
      },
    });
    expect([written, removed]).toEqual([[2], [1]]);
  });
});

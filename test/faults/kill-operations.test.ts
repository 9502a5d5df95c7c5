import { expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { decidedRows } from '../support/fixtures/decided-rows.ts';
import { seededRandom } from '../support/fixtures/seeded-random.ts';
import type { SeededFace } from '../support/fixtures/seeded-environment.ts';
import { ok } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { IS_SOAK, sampled } from '../support/gates/soak.ts';
import {
  type Death,
  dieOver,
  type DyingLibrary,
  enroll,
  openDyingLibrary,
  untilAllLeft,
} from './dying-library.ts';
import { MANY_DEATHS_MS } from '../support/waits/limits.ts';

/** The faces of the crowd. Its merge and deletion, and their undo, take a transaction for each 500 of them. */
const CROWD = IS_SOAK ? 1_100 : 600;
const CROWD_STEPS = Math.ceil(CROWD / 500);
const PER_PHOTO = 16;
/** The faces without identity. Decisions about them take three transactions. */
const STRANGERS = 45;

interface Scene {
  readonly crowd: number;
  readonly person: number;
  readonly strangers: readonly number[];
  readonly image: number;
}

interface Act {
  readonly name: string;
  readonly send: (client: Client, scene: Scene) => Promise<{ readonly status: number }>;
  /** The number of transactions. */
  readonly steps: number;
  /** The number of transactions of its undo. */
  readonly undoSteps: number;
}

/** The first two take several transactions, in different code. */
const ACTS: readonly Act[] = [
  {
    name: 'merge',
    send: (client, { crowd, person }) =>
      client.mergeIdentity({ path: { id: crowd }, body: { into: person } }),
    steps: CROWD_STEPS,
    undoSteps: CROWD_STEPS,
  },
  {
    name: 'bulk review',
    send: (client, { strangers, person }) =>
      client.reviewFaces({
        body: { detection_ids: [...strangers], action: 'confirm', identity_id: person },
      }),
    steps: 3,
    undoSteps: 1,
  },
  {
    name: 'deletion of an identity',
    send: (client, { crowd }) => client.deleteIdentity({ path: { id: crowd } }),
    steps: CROWD_STEPS,
    undoSteps: CROWD_STEPS,
  },
  {
    name: 'deletion of an image',
    send: (client, { image }) => client.deleteImage({ path: { id: image } }),
    steps: 1,
    undoSteps: 1,
  },
  {
    name: 'relabel',
    send: (client, { strangers }) =>
      client.labelDetections({
        body: { items: strangers.map((id) => ({ detection_id: id, label: 'Newcomer' })) },
      }),
    steps: 3,
    undoSteps: 1,
  },
];

/** An operation that is killed, and its undo, which is killed, too. */
interface Turn {
  readonly act: Act;
  readonly death: Death;
  readonly undoDeath: Death;
}

/** All deaths in a soak, else one of some operations and one of their undo. */
function turns(): readonly Turn[] {
  const random = seededRandom(7);
  return sampled(ACTS, 2).flatMap((act) => {
    const deaths = shuffled(deathsIn(act.steps), random);
    const undoDeaths = shuffled(deathsIn(act.undoSteps), random);
    const count = IS_SOAK ? Math.max(deaths.length, undoDeaths.length) : 1;
    return Array.from({ length: count }, (_, n) => ({
      act,
      death: deaths[n % deaths.length]!,
      undoDeath: undoDeaths[n % undoDeaths.length]!,
    }));
  });
}

function deathsIn(steps: number): readonly Death[] {
  const points = ['before-commit', 'after-commit'] as const;
  return points.flatMap((point) =>
    Array.from({ length: steps }, (_, n): Death => ({ point, time: n + 1 })),
  );
}

function shuffled<T>(items: readonly T[], random: () => number): readonly T[] {
  return items
    .map((item) => ({ item, place: random() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

test(
  'operations and undos that are killed in any step end like undisturbed ones when they are repeated',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start());
    const start = async (death?: Death) => {
      service = services.use(await library.start(death));
      return service;
    };
    const scene = await seedScene(library, service);
    const { environment } = await library.home();
    const rows = () => decidedRows(reading(library), environment.scope.environmentId);
    const before = await rows();
    const files = (await library.files()).toSorted();

    const undisturbed = new Map<Act, unknown>();
    for (const act of ACTS) {
      expect((await act.send(service.client, scene)).status).toBeLessThan(300);
      undisturbed.set(act, comparable(await rows()));
      await undoAll(service.client);
      expect({ act: act.name, rows: await rows() }).toEqual({ act: act.name, rows: before });
    }
    await service.kill();

    /** The undo that the last process did not finish. */
    let broken: { readonly about: object; readonly id: number } | null = null;
    const finish = async ({ client }: RunningStandalone) => {
      if (broken === null) return;
      ok<unknown>(await client.undoOperation({ path: { id: broken.id }, body: {} }));
      await undoAll(client);
      expect({ ...broken.about, rows: await rows() }).toEqual({ ...broken.about, rows: before });
      await expectFiles(library, files);
    };
    for (const { act, death, undoDeath } of turns()) {
      const about = { act: act.name, death, undoDeath };
      const dying = await start(death);
      await finish(dying);
      await dieOver(dying, () => act.send(dying.client, scene));
      expect({ ...about, found: await library.contradictions() }).toEqual({ ...about, found: [] });

      const repeating = await start(undoDeath);
      await untilAllLeft(library, () => Promise.resolve());
      const { status } = await act.send(repeating.client, scene);
      // The record of a deletion that has ended is not there any more.
      if (status !== 404) expect(status).toBeLessThan(300);
      await untilAllLeft(library, () => Promise.resolve());
      expect({ ...about, rows: comparable(await rows()) }).toEqual({
        ...about,
        rows: undisturbed.get(act),
      });
      await expectFiles(library, files);

      const [last] = await toUndo(repeating.client);
      await dieOver(repeating, () =>
        repeating.client.undoOperation({ path: { id: last! }, body: {} }),
      );
      expect({ ...about, found: await library.contradictions() }).toEqual({ ...about, found: [] });
      await expectFiles(library, files);
      broken = { about, id: last! };
    }
    const last = await start();
    await finish(last);
    expect(await library.inconsistencies()).toEqual([]);
  },
  MANY_DEATHS_MS,
);

/** Stores a crowd, a person, faces without identity, and an image, all with files. */
async function seedScene(library: DyingLibrary, service: RunningStandalone): Promise<Scene> {
  const { client } = service;
  const person = await enroll(service, 'Person');
  const { environment, modelId } = await library.home();
  const [row] = await library.query<{ vector: Buffer }>('SELECT vector FROM face_vectors');
  const vector = new Float32Array(new Uint8Array(row!.vector).buffer);
  const face: SeededFace = { embedding: { modelId, vector } };
  const { id: crowd } = ok(
    await client.createIdentity({ body: { label: 'Crowd', type: 'face', external_ref: 'hr/1' } }),
  );
  const enrolled: SeededFace = { ...face, identityId: crowd, enrolledBy: [modelId] };
  for (let left = CROWD; left > 0; left -= PER_PHOTO) {
    await environment.photo(Array<SeededFace>(Math.min(left, PER_PHOTO)).fill(enrolled));
  }
  const strangers: number[] = [];
  for (let left = STRANGERS; left > 0; left -= PER_PHOTO) {
    const { ids } = await environment.photo(
      Array<SeededFace>(Math.min(left, PER_PHOTO)).fill(face),
    );
    strangers.push(...ids);
  }
  const { source, ids } = await environment.photo([
    { ...face, identityId: person.identityId, enrolledBy: [modelId] },
    face,
    {},
  ]);
  await environment.reject(ids[1]!, person.identityId);
  return { crowd, person: person.identityId, strangers, image: source.id };
}

function reading(library: DyingLibrary) {
  return {
    query: async <Row>(text: string, values: readonly unknown[]) => ({
      rows: await library.query<Row>(text, values),
    }),
  };
}

/** The operations that are not taken back, newest first. */
async function toUndo(client: Client): Promise<readonly number[]> {
  const { items } = ok(await client.listOperations({ query: { limit: 100 } }));
  const isValid = ({ kind, undone_by: by }: (typeof items)[number]) =>
    kind !== 'undo' && kind !== 'enroll' && by === null;
  return items.filter(isValid).map(({ id }) => id);
}

async function undoAll(client: Client): Promise<void> {
  for (const id of await toUndo(client)) {
    const undone = ok<unknown>(await client.undoOperation({ path: { id }, body: {} }));
    expect(undone).toMatchObject({ skipped: [] });
  }
}

/** Expects that all files are there, and that none is without a record that needs it. */
async function expectFiles(library: DyingLibrary, expected: readonly string[]): Promise<void> {
  expect(await library.collectOrphans()).toBe(0);
  expect((await library.files()).toSorted()).toEqual(expected);
}

interface ComparedRow {
  readonly id?: number;
  readonly label?: string;
  readonly identity_id?: number | null;
}

/** The rows with labels instead of the ids of identities, and without what differs from run to run: ids and times. */
function comparable(all: Readonly<Record<string, readonly unknown[]>>): unknown {
  const labels = new Map(
    (all.identities as readonly ComparedRow[]).map(({ id, label }) => [id, label]),
  );
  const withoutIds = new Set(['identities', 'face_references']);
  const rows = Object.entries(all).map(([table, own]) => [
    table,
    (own as readonly ComparedRow[])
      .map((row) => {
        const { id, identity_id: identity, ...values } = row;
        const named = identity == null ? null : labels.get(identity);
        const kept = withoutIds.has(table) ? { ...values, created_at: null } : { id, ...values };
        return JSON.stringify({ ...kept, identity: named, updated_at: null });
      })
      .toSorted(),
  ]);
  return Object.fromEntries(rows) as unknown;
}

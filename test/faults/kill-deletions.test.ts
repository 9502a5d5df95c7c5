import { expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { ok } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { IS_SOAK } from '../support/gates/soak.ts';
import {
  type Death,
  dieOver,
  type DyingLibrary,
  enroll,
  type Enrolled,
  openDyingLibrary,
  untilAllLeft,
} from './dying-library.ts';
import { MANY_STARTS_MS } from '../support/waits/limits.ts';

/** The merge takes three steps, and the deletion two. Only a soak kills them in each. */
const MERGE = {
  faces: 1_100,
  deaths: IS_SOAK ? deathsIn([1, 2, 3]) : deathsIn([2]),
};
const DELETION = {
  faces: 600,
  deaths: IS_SOAK ? deathsIn([1, 2]) : [afterCommit(1)],
};

/**
 * An identity with many faces, the crowd, and a person. The test merges the crowd into the person,
 * or deletes it.
 */
interface Scene {
  readonly library: DyingLibrary;
  readonly crowd: Enrolled;
  readonly person: Enrolled;
  readonly faces: ReadonlySet<number>;
}

/**
 * Deaths before the first commit, and after each commit. A death before a later commit would leave
 * the state that follows the previous commit.
 */
function deathsIn(steps: readonly number[]): readonly Death[] {
  return [{ point: 'before-commit', time: 1 }, ...steps.map(afterCommit)];
}

function afterCommit(time: number): Death {
  return { point: 'after-commit', time };
}

const hasBegun = ({ point, time }: Death) => point === 'after-commit' || time > 1;

test(
  'a merge that is killed in any step is seen whole all the time, and ends by itself',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start(MERGE.deaths[0]));
    let crowd = await enroll(service, 'Crowd');
    const faces = new Set([crowd.detectionId, ...(await library.addFaces(crowd, MERGE.faces))]);
    for (const [turn, death] of MERGE.deaths.entries()) {
      const person = await enroll(service, `Person-${turn}`);
      const scene = { library, crowd, person, faces };
      const before = await peopleIn(service);
      const { client } = service;
      await library.events();
      await dieOver(
        service,
        () =>
          client.mergeIdentity({
            path: { id: crowd.identityId },
            body: { into: person.identityId },
          }),
        async () => {
          const seen = await peopleIn(service);
          expect([before, mergedPeople(before, scene)]).toContainEqual(seen);
        },
      );
      await expectLeft(library, death);
      expect({ death, found: await library.contradictions() }).toEqual({ death, found: [] });

      service = services.use(await library.start(MERGE.deaths[turn + 1]));
      if (!hasBegun(death)) {
        expect(await peopleIn(service)).toEqual(before);
        expect(await library.events()).toEqual([]);
        ok(await service.client.deleteIdentity({ path: { id: person.identityId } }));
        continue;
      }
      const after = mergedPeople(before, scene);
      await untilAllLeft(library, async () => {
        expect({ death, seen: await peopleIn(service) }).toEqual({ death, seen: after });
        await expectMerged(service, scene);
      });
      expect(await library.events()).toEqual([
        {
          event: 'identity.merged',
          data: {
            identity_id: crowd.identityId,
            merged_into: person.identityId,
            external_ref: null,
          },
        },
      ]);
      expect({ death, found: await library.contradictions() }).toEqual({ death, found: [] });
      faces.add(person.detectionId);
      crowd = person;
    }
    ok(await service.client.deleteIdentity({ path: { id: crowd.identityId } }));
    // The planted faces have no files that an undo could bring back.
    await library.query('DELETE FROM set_aside_files');
    expect(await library.inconsistencies()).toEqual([]);
  },
  MANY_STARTS_MS,
);

test(
  'a deletion that is killed in any step is seen whole all the time, and ends by itself',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start(DELETION.deaths[0]));
    const person = await enroll(service, 'Person');
    for (const [turn, death] of DELETION.deaths.entries()) {
      const crowd = await enroll(service, 'Crowd');
      const faces = new Set([
        crowd.detectionId,
        ...(await library.addFaces(crowd, DELETION.faces)),
      ]);
      const before = await peopleIn(service);
      const after = before.filter(({ label }) => label !== 'Crowd');
      const { client } = service;
      await library.events();
      await dieOver(
        service,
        () => client.deleteIdentity({ path: { id: crowd.identityId } }),
        async () => expect([before, after]).toContainEqual(await peopleIn(service)),
      );
      await expectLeft(library, death);
      expect({ death, found: await library.contradictions() }).toEqual({ death, found: [] });

      service = services.use(await library.start(DELETION.deaths[turn + 1]));
      if (!hasBegun(death)) {
        expect(await peopleIn(service)).toEqual(before);
        expect(await library.events()).toEqual([]);
        ok(await service.client.deleteIdentity({ path: { id: crowd.identityId } }));
      }
      const scene = { library, crowd, person, faces };
      await untilAllLeft(library, async () => {
        expect({ death, seen: await peopleIn(service) }).toEqual({ death, seen: after });
        await expectDeleted(service, scene);
      });
      const events = await library.events();
      const last = events.at(-1)!;
      expect(last).toEqual({
        event: 'identity.deleted',
        data: { identity_id: crowd.identityId, external_ref: null },
      });
      const deleted = events.slice(0, -1).flatMap(({ event, data }) => {
        expect(event).toBe('detection.deleted');
        return (data as { readonly detection_ids: readonly number[] }).detection_ids;
      });
      expect(deleted.toSorted(byNumber)).toEqual([...faces].toSorted(byNumber));
    }
    // The planted faces have no files that an undo could bring back.
    await library.query('DELETE FROM set_aside_files');
    expect(await library.inconsistencies()).toEqual([]);
  },
  MANY_STARTS_MS,
);

/**
 * Expects unfinished work if the service died in the first step. After later steps the worker may have
 * finished the work.
 */
async function expectLeft(library: DyingLibrary, { point, time }: Death): Promise<void> {
  if (point !== 'after-commit' || time > 1) return;
  expect(await library.deleting()).toHaveLength(1);
}

interface Person {
  readonly id: number;
  readonly label: string;
  readonly faces: number;
  readonly references: number;
}

/** Returns all people from a single answer. */
async function peopleIn({ client }: RunningStandalone): Promise<readonly Person[]> {
  const { items, total } = ok(await client.listIdentitySummaries({}));
  expect(total).toBe(items.length);
  return items.map(({ id, label, detection_count, embedding_count }) => ({
    id,
    label,
    faces: detection_count,
    references: embedding_count,
  }));
}

/** Returns the people as they must be after the merge. */
function mergedPeople(people: readonly Person[], { crowd, person }: Scene): readonly Person[] {
  const gone = people.find(({ id }) => id === crowd.identityId)!;
  return people
    .filter((each) => each !== gone)
    .map((each) =>
      each.id === person.identityId
        ? {
            ...each,
            faces: each.faces + gone.faces,
            references: each.references + gone.references,
          }
        : each,
    );
}

/** Expects that every list and search shows the faces of the crowd as the person's. */
async function expectMerged(
  { client }: RunningStandalone,
  { crowd, person, faces }: Scene,
): Promise<void> {
  const [from, into] = [crowd.identityId, person.identityId];
  expect(await client.getIdentity({ path: { id: from } })).toMatchObject({ status: 404 });
  const references = ok(await client.listFaceEmbeddings({})).items;
  expect(new Set(references.map(({ identity_id }) => identity_id))).toEqual(new Set([into]));
  expect(references.map(({ detection_id }) => detection_id).toSorted(byNumber)).toEqual(
    [...faces, person.detectionId].toSorted(byNumber),
  );
  for (const [id, count] of [
    [from, 0],
    [into, faces.size + 1],
  ] as const) {
    expect(ok(await client.countImages({ query: { identity_id: [id] } }))).toEqual({ count });
    const { items } = ok(await client.listFaceEmbeddings({ query: { identity_id: id } }));
    expect(items).toHaveLength(count);
  }
  for (const id of [Math.min(...faces), Math.max(...faces)]) {
    const face = ok(await client.getDetection({ path: { id } }));
    expect(face).toMatchObject({ identity_id: into, label: person.name });
  }
  const file = await drawPhoto({ faces: ['Crowd'] });
  const [found] = ok(await client.identifyFaces({ body: { file } })).faces;
  expect(found).toMatchObject({ identity_id: into });
  expect(found!.suggestions.map(({ identity_id }) => identity_id)).toEqual([into]);
}

/** Expects that no list or search shows a face of the crowd. */
async function expectDeleted(
  { client }: RunningStandalone,
  { crowd, person, faces }: Scene,
): Promise<void> {
  const { identityId: id } = crowd;
  expect(await client.getIdentity({ path: { id } })).toMatchObject({ status: 404 });
  const { items } = ok(await client.listFaceEmbeddings({}));
  expect(items).toMatchObject([{ detection_id: person.detectionId }]);
  expect(ok(await client.countImages({ query: { identity_id: [id] } }))).toEqual({ count: 0 });
  expect(ok(await client.getStats())).toMatchObject({ identities: 1, detections: 1 });
  for (const id of [Math.min(...faces), Math.max(...faces)]) {
    expect(await client.getDetection({ path: { id } })).toMatchObject({ status: 404 });
  }
  const file = await drawPhoto({ faces: ['Crowd'] });
  const [found] = ok(await client.identifyFaces({ body: { file } })).faces;
  expect(found!.suggestions.map(({ identity_id }) => identity_id)).toEqual([person.identityId]);
}

function byNumber(one: number, other: number): number {
  return one - other;
}

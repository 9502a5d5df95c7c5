import { type Client, createClient } from '@sightline/contracts/client';
import { listLfw, namedFace } from '../../quality/lfw.ts';
import { photo } from '../../support/fixtures/photo.ts';
import { ok } from '../../support/services/ok.ts';
import type { RunningStandalone } from '../../support/services/running-standalone.ts';

/** The requests of a curator. */
export interface Requests {
  /** Lists of faces and groups. */
  reads: number;
  writes: number;
}

/** The LFW photos in an environment of their own, in which no face has a name yet. */
export interface Album {
  /** A client whose requests are counted. */
  readonly client: Client;
  readonly requests: Requests;
  /** The names of the people to name, by the ids of their faces. Faces in the background have no name. */
  readonly people: ReadonlyMap<number, string>;
  /** The number of faces that were found, those in the background included. */
  readonly faces: number;
  /** Waits until groups and suggestions are those of all changes. */
  readonly settled: () => Promise<void>;
  /** @throws Error if a face has another name than its own, a person has several identities, or another face has a name */
  readonly expectNamed: () => Promise<void>;
}

/** Detects the faces of all photos. None of them is recognized, because no person is enrolled. */
export async function openAlbum(service: RunningStandalone, environment: string): Promise<Album> {
  const { key: apiKey } = await service.createKey({ environment, right: 'full' });
  const own = service.clientWith(apiKey);
  const people = new Map<number, string>();
  let faces = 0;
  for (const { person, path } of await listLfw()) {
    const found = ok(await own.detectFaces({ body: { file: await photo(path) } })).faces;
    faces += found.length;
    const named = namedFace(found);
    if (named !== null) people.set(named.detection_id, person);
  }
  const requests: Requests = { reads: 0, writes: 0 };
  const client = createClient({
    baseUrl: service.url,
    apiKey,
    fetch: (input, init) => {
      if (init?.method === 'GET') requests.reads++;
      else requests.writes++;
      return fetch(input, init);
    },
  });
  return {
    client,
    requests,
    people,
    faces,
    settled: async () => {
      const findings = await service.inconsistencies();
      if (findings.length > 0) throw new Error(`Inconsistent: ${findings.join('; ')}`);
    },
    expectNamed: () => expectNamed(own, { people, waiting: faces - people.size }),
  };
}

interface Expected {
  readonly people: ReadonlyMap<number, string>;
  /** The number of faces in the background, which still wait for review. */
  readonly waiting: number;
}

async function expectNamed(client: Client, { people, waiting }: Expected): Promise<void> {
  const wrong: string[] = [];
  for (const [id, person] of people) {
    const { label, review_status: status } = ok(await client.getDetection({ path: { id } }));
    if (label !== person || status !== 'confirmed') wrong.push(`${person}: ${label}, ${status}`);
  }
  const { identities, pending_review: pending } = ok(await client.getStats());
  const names = new Set(people.values()).size;
  if (identities !== names) wrong.push(`${identities} people instead of ${names}`);
  if (pending !== waiting) wrong.push(`${pending} faces wait instead of ${waiting}`);
  if (wrong.length > 0) throw new Error(`The faces are not named rightly: ${wrong.join('; ')}.`);
}

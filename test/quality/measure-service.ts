import { dirname } from 'node:path';
import type { Client } from '@sightline/contracts/client';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { photo } from '../support/fixtures/photo.ts';
import { ok } from '../support/services/ok.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { type LfwPhoto, listLfw, namedFace } from './lfw.ts';

/** The results of a service with default settings on the LFW photos, over HTTP. */
export interface ServiceFigures {
  /** The number of people who are enrolled, with one photo each. */
  readonly people: number;
  /** The number of other photos of the enrolled people. */
  readonly probes: number;
  /** The number of probes whose first suggestion is the right person. */
  readonly first: number;
  /**
   * The number of probes that are assigned to the right person. `wrong` counts those assigned to
   * another person.
   */
  readonly assigned: number;
  readonly wrong: number;
  /** The number of people who are not enrolled. */
  readonly strangers: number;
  readonly falseAccepts: number;
  readonly highestOfStrangers: number;
}

interface Probe extends LfwPhoto {
  /** The identity of the probe's person; null for a stranger. */
  readonly identityId: number | null;
}

/** Enrolls one photo of each person who has several, and identifies all other photos. */
export async function measureService({ manifest, directory }: ModelPack): Promise<ServiceFigures> {
  await using service = await startStandalone({
    SIGHTLINE_PROVIDER: 'cpu',
    SIGHTLINE_MODELS_DIR: dirname(directory),
    SIGHTLINE_FACE_MODEL: manifest.name,
  });
  const { client } = service;
  const people = [...Map.groupBy(await listLfw(), ({ person }) => person).values()];
  const known = people.filter((photos) => photos.length > 1);
  const probes = (await Array.fromAsync(known, (photos) => enroll(client, photos))).flat();
  const strangers = people
    .filter((photos) => photos.length === 1)
    .flat()
    .map((one): Probe => ({ ...one, identityId: null }));
  return {
    people: known.length,
    ...countRecognised(await Array.fromAsync(probes, (probe) => identify(client, probe))),
    ...countAccepted(await Array.fromAsync(strangers, (probe) => identify(client, probe))),
  };
}

/** Enrolls the first photo that shows a single person. The remaining photos are probes. */
async function enroll(client: Client, photos: readonly LfwPhoto[]): Promise<Probe[]> {
  for (const { person, path } of photos) {
    const answer = await client.enrollFace({ body: { name: person, file: await photo(path) } });
    if (answer.problem?.code === 'face_count') continue;
    const { identity_id: identityId } = ok(answer);
    return photos.filter((other) => other.path !== path).map((other) => ({ ...other, identityId }));
  }
  throw new Error(`There is no photo of ${photos[0]!.person} alone.`);
}

interface Identified {
  readonly expected: number | null;
  /** The identity to which the face was assigned; null if the face was not recognized. */
  readonly assigned: number | null;
  readonly firstSuggestion: number | null;
  readonly similarity: number;
}

async function identify(client: Client, { path, identityId }: Probe): Promise<Identified> {
  const answer = await client.identifyFaces({ body: { file: await photo(path), top_n: 1 } });
  const face = namedFace(ok(answer).faces);
  return {
    expected: identityId,
    assigned: face?.identity_id ?? null,
    firstSuggestion: face?.suggestions[0]?.identity_id ?? null,
    similarity: face?.similarity ?? -1,
  };
}

function countRecognised(
  probes: readonly Identified[],
): Pick<ServiceFigures, 'probes' | 'first' | 'assigned' | 'wrong'> {
  const assigned = probes.filter((probe) => probe.assigned !== null);
  const right = assigned.filter((probe) => probe.assigned === probe.expected);
  return {
    probes: probes.length,
    first: probes.filter((probe) => probe.firstSuggestion === probe.expected).length,
    assigned: right.length,
    wrong: assigned.length - right.length,
  };
}

function countAccepted(
  strangers: readonly Identified[],
): Pick<ServiceFigures, 'strangers' | 'falseAccepts' | 'highestOfStrangers'> {
  return {
    strangers: strangers.length,
    falseAccepts: strangers.filter(({ assigned }) => assigned !== null).length,
    highestOfStrangers: Math.max(...strangers.map(({ similarity }) => similarity)),
  };
}

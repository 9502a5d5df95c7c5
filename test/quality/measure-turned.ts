import { readdir } from 'node:fs/promises';
import type { AnalyzedFace, QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { shared } from '../support/fixtures/shared.ts';
import { measureRankOne } from './identification.ts';
import { listLfw, type LfwPhoto, namedFace } from './lfw.ts';
import { NO_FACES, plus, recoverFaces, type RecoveredFaces } from './recover-faces.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';
import type { Sample } from './verification.ts';

const TURNS = [90, 180, 270] as const satisfies readonly QuarterTurn[];
const ENROLLED = [1, 3];

export interface TurnedFigures {
  readonly detection: readonly (RecoveredFaces & {
    /** The folder of the shared photos. */
    readonly folder: string;
    readonly photos: number;
    readonly turn: QuarterTurn;
  })[];
  readonly rankOne: readonly {
    readonly turn: QuarterTurn;
    readonly enrolled: number;
    readonly probes: number;
    /** The number of upright probes whose own person is the most similar one. */
    readonly upright: number;
    /** The number of turned probes whose own person is the most similar one. */
    readonly turned: number;
  }[];
}

/** Turns photos by quarters, and compares their faces with those of the upright photos. */
export async function measureTurned(analyst: PhotoAnalyst): Promise<TurnedFigures> {
  const lfw = await listLfw();
  const people = (await readdir(shared('photos/people'))).sort().map((name) => `people/${name}`);
  const folders = [
    { folder: 'people', paths: people },
    { folder: 'lfw', paths: lfw.map(({ path }) => path) },
  ];
  const detection = await Array.fromAsync(
    folders.flatMap((photos) => TURNS.map((turn) => ({ ...photos, turn }))),
    async ({ folder, paths, turn }) => {
      const faces = await recoverAll(analyst, paths, turn);
      return { ...faces, folder, photos: paths.length, turn };
    },
  );
  return { detection, rankOne: await lookUpTurned(analyst, withSeveralPhotos(lfw)) };
}

async function recoverAll(
  analyst: PhotoAnalyst,
  paths: readonly string[],
  turn: QuarterTurn,
): Promise<RecoveredFaces> {
  const photos = await Array.fromAsync(paths, async (path) =>
    recoverFaces(await analyst.faces(path), await analyst.turnedFaces(path, turn), turn),
  );
  return photos.reduce(plus, NO_FACES);
}

async function lookUpTurned(
  analyst: PhotoAnalyst,
  photos: readonly LfwPhoto[],
): Promise<TurnedFigures['rankOne']> {
  const upright = await readSamples(photos, (path) => analyst.faces(path));
  const rows = await Array.fromAsync(TURNS, async (turn) => {
    const turned = await readSamples(photos, (path) => analyst.turnedFaces(path, turn));
    return ENROLLED.map((enrolled) => {
      const { probes, right } = measureRankOne(upright, enrolled);
      const lookedUp = measureRankOne(upright, enrolled, turned);
      return { turn, enrolled, probes, upright: right, turned: lookedUp.right };
    });
  });
  return rows.flat();
}

function readSamples(
  photos: readonly LfwPhoto[],
  find: (path: string) => Promise<readonly AnalyzedFace[]>,
): Promise<Sample[]> {
  return Array.fromAsync(photos, async ({ person, path }) => ({
    person,
    embedding: namedFace(await find(path))?.embedding ?? null,
  }));
}

function withSeveralPhotos(photos: readonly LfwPhoto[]): LfwPhoto[] {
  return [...Map.groupBy(photos, ({ person }) => person).values()]
    .filter((own) => own.length > 1)
    .flat();
}

import { readFile } from 'node:fs/promises';
import type { BoundingBox } from '@sightline/core/analysis/geometry';
import { shared } from '../support/fixtures/shared.ts';

/** The results of a reference implementation for photos of the shared folder. */
export interface FaceReference {
  readonly name: string;
  readonly photos: ReadonlyMap<string, readonly ReferenceFace[]>;
}

export interface ReferenceFace {
  /** The box, clamped to the photo as the engine's boxes are. */
  readonly bbox: BoundingBox;
  readonly embedding: Float32Array;
  /** The age in years; null if no trained model computed the reference's age. */
  readonly age: number | null;
  /** The probability that the face is a man's, 0..1; null if no trained model computed it. */
  readonly male: number | null;
}

export interface ReferenceObject {
  readonly bbox: BoundingBox;
  readonly classId: number;
  /** The score, 0..1. */
  readonly score: number;
}

type Xyxy = readonly [number, number, number, number];

interface GoldenPhoto<Face> {
  readonly width: number;
  readonly height: number;
  readonly faces: readonly Face[];
}

interface InsightfaceFace {
  readonly bbox_xyxy: Xyxy;
  readonly embedding_512: readonly number[];
}

interface StarterFace {
  readonly bbox_xyxy: Xyxy;
  readonly embedding: readonly number[];
  readonly age: number;
  readonly male: number;
}

interface StarterResults {
  readonly faces: Readonly<Record<string, GoldenPhoto<StarterFace>>>;
  readonly objects: Readonly<
    Record<
      string,
      readonly { readonly class_id: number; readonly score: number; readonly bbox_xyxy: Xyxy }[]
    >
  >;
}

/** Reads the results of both reference implementations. */
export async function readFaceReferences(): Promise<FaceReference[]> {
  const insightface =
    await readResults<Record<string, GoldenPhoto<InsightfaceFace>>>('insightface-faces.json');
  const starter = await readResults<StarterResults>('starter.json');
  return [
    {
      name: 'insightface (SCRFD 2.5G, MBF int8)',
      // The ages and genders in this file come from small random models.
      photos: facesOf(insightface, (face) => ({
        embedding: Float32Array.from(face.embedding_512),
        age: null,
        male: null,
      })),
    },
    {
      name: 'OpenCV Zoo (YuNet, SFace) and Human (faceres)',
      photos: facesOf(starter.faces, (face) => ({
        embedding: Float32Array.from(face.embedding),
        age: face.age,
        male: face.male,
      })),
    },
  ];
}

/** Reads the results of Human's centernet for the photos of objects, by the photos' names. */
export async function readObjectReference(): Promise<ReadonlyMap<string, ReferenceObject[]>> {
  const { objects } = await readResults<StarterResults>('starter.json');
  return new Map(
    Object.entries(objects).map(([photo, found]) => [
      `objects/${photo}`,
      found.map(({ class_id: classId, score, bbox_xyxy }) => ({
        classId,
        score,
        bbox: boxOf(bbox_xyxy),
      })),
    ]),
  );
}

async function readResults<Results>(file: string): Promise<Results> {
  return JSON.parse(await readFile(shared('golden', file), 'utf8')) as Results;
}

function facesOf<Face extends { readonly bbox_xyxy: Xyxy }>(
  photos: Readonly<Record<string, GoldenPhoto<Face>>>,
  read: (face: Face) => Omit<ReferenceFace, 'bbox'>,
): ReadonlyMap<string, ReferenceFace[]> {
  return new Map(
    Object.entries(photos).map(([path, { width, height, faces }]) => [
      path,
      faces.map((face) => ({ ...read(face), bbox: boxOf(face.bbox_xyxy, { width, height }) })),
    ]),
  );
}

function boxOf(
  [x1, y1, x2, y2]: Xyxy,
  { width, height } = { width: Infinity, height: Infinity },
): BoundingBox {
  const [x, y] = [Math.max(0, x1), Math.max(0, y1)];
  return { x, y, w: Math.min(x2, width) - x, h: Math.min(y2, height) - y };
}

import { readdir } from 'node:fs/promises';
import type { BoundingBox } from '@sightline/core/analysis/geometry';
import { shared } from '../support/fixtures/shared.ts';

/** A shared photo of Labeled Faces in the Wild, named `First_Last_0001.jpg`. */
export interface LfwPhoto {
  readonly person: string;
  /** The path in the folder of the shared photos. */
  readonly path: string;
}

/** The width and height of every photo, in pixels. */
const SIDE = 250;

export async function listLfw(): Promise<LfwPhoto[]> {
  const names = await readdir(shared('photos/lfw'));
  return names
    .sort()
    .map((name) => ({ person: name.replace(/_\d+\.jpg$/, ''), path: `lfw/${name}` }));
}

/** Returns the face in the middle, which in these photos is that of the named person. */
export function namedFace<Face extends { readonly bbox: BoundingBox }>(
  faces: readonly Face[],
): Face | null {
  const [nearest] = faces.toSorted((a, b) => fromMiddle(a.bbox) - fromMiddle(b.bbox));
  return nearest ?? null;
}

function fromMiddle({ x, y, w, h }: BoundingBox): number {
  return Math.hypot(x + w / 2 - SIDE / 2, y + h / 2 - SIDE / 2);
}

import { type LfwPhoto, listLfw, namedFace } from './lfw.ts';
import type { PhotoAnalyst } from './photo-analyst.ts';
import type { Sample } from './verification.ts';

export interface LfwSample {
  readonly photo: LfwPhoto;
  /** The number of faces that the pack found in the photo. */
  readonly count: number;
  /** The embedding of the face in the middle. */
  readonly sample: Sample;
}

/** Reads the samples in the order of the photos' names. */
export async function readLfwSamples(analyst: PhotoAnalyst): Promise<LfwSample[]> {
  return Array.fromAsync(await listLfw(), async (photo) => {
    const faces = await analyst.faces(photo.path);
    const embedding = namedFace(faces)?.embedding ?? null;
    return { photo, count: faces.length, sample: { person: photo.person, embedding } };
  });
}

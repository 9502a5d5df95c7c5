import type { Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { alignFace } from './align-face.ts';
import type { Corners } from '../math/corners.ts';
import type { FaceRecognizer } from './face-recognizer.ts';

export interface LocatedFace {
  readonly box: Corners;
  /** The landmarks by which to align the face; null if it is embedded as an average face in its box. */
  readonly landmarks: readonly Point[] | null;
  /** The turn of a face without landmarks; default: 0. */
  readonly turned?: QuarterTurn;
}

/**
 * Aligns and embeds faces.
 *
 * @param faces null for a face that cannot be aligned, which gets no embedding
 * @returns embeddings in the order of the faces
 */
export async function embedLocated(
  recognizer: FaceRecognizer,
  { raster, faces }: { readonly raster: Raster; readonly faces: readonly (LocatedFace | null)[] },
  observe: StageObserver,
): Promise<EmbeddedRegion[]> {
  const alignable = faces.filter((face) => face !== null);
  const aligned = await timed(observe, 'align', () =>
    alignable.map((face) => alignFace(raster, face, recognizer.side)),
  );
  const embeddings = await timed(observe, 'embed', () => recognizer.embed(aligned));
  const byFace = new Map(alignable.map((face, index) => [face, embeddings[index]!]));
  return faces.map((face) =>
    face === null
      ? { embedding: null, embeddingSource: null, landmarks: null }
      : {
          embedding: byFace.get(face)!,
          embeddingSource: face.landmarks === null ? 'box' : 'aligned',
          landmarks: face.landmarks,
        },
  );
}

import type {
  AnalyzedFace,
  AnalyzedObject,
  EmbeddedRegion,
  ImageAnalysis,
  JpegRendition,
} from '@sightline/core/analysis/image-analyzer';
import { detachable } from './detachable.ts';

/** The same analysis with the buffers listed that are to be moved to another thread with it. */
export function handOver(analysis: ImageAnalysis): {
  readonly analysis: ImageAnalysis;
  readonly transfer: readonly ArrayBuffer[];
} {
  const transfer: ArrayBuffer[] = [];
  const give = <T extends Uint8Array | Float32Array>(view: T): T => {
    const given = detachable(view);
    transfer.push(given.buffer);
    return given;
  };
  const rendition = (made: JpegRendition | null) => made && { ...made, jpeg: give(made.jpeg) };
  const face = (found: AnalyzedFace): AnalyzedFace => ({
    ...found,
    embedding: found.embedding && give(found.embedding),
    crop: rendition(found.crop),
  });
  const region = (embedded: EmbeddedRegion) => ({
    ...embedded,
    embedding: give(embedded.embedding),
  });
  const object = (found: AnalyzedObject) => ({ ...found, crop: rendition(found.crop) });
  const { faces, faceRegions, objects, source } = analysis;
  return {
    analysis: {
      ...analysis,
      faces: faces && { ...faces, items: faces.items.map(face) },
      faceRegions: faceRegions && { ...faceRegions, items: faceRegions.items.map(region) },
      objects: objects && { ...objects, items: objects.items.map(object) },
      source: rendition(source),
    },
    transfer,
  };
}

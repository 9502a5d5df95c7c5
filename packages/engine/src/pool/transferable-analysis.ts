import type {
  AnalyzedFace,
  AnalyzedObject,
  EmbeddedRegion,
  ImageAnalysis,
  JpegRendition,
} from '@sightline/core/analysis/image-analyzer';
import { detachable } from './detachable.ts';

/**
 * Returns an equivalent analysis whose buffers can be transferred to another thread, together with
 * the transfer list.
 */
export function transferableAnalysis(analysis: ImageAnalysis): {
  readonly analysis: ImageAnalysis;
  readonly transfer: readonly ArrayBuffer[];
} {
  const transfer: ArrayBuffer[] = [];
  const detach = <T extends Uint8Array | Float32Array>(view: T): T => {
    const detached = detachable(view);
    transfer.push(detached.buffer);
    return detached;
  };
  const jpeg = (made: JpegRendition) => ({ ...made, jpeg: detach(made.jpeg) });
  const rendition = (made: JpegRendition | null) => made && jpeg(made);
  const face = (found: AnalyzedFace): AnalyzedFace => ({
    ...found,
    embedding: found.embedding && detach(found.embedding),
    crop: rendition(found.crop),
  });
  const region = (embedded: EmbeddedRegion) => ({
    ...embedded,
    embedding: embedded.embedding && detach(embedded.embedding),
  });
  const object = (found: AnalyzedObject) => ({ ...found, crop: rendition(found.crop) });
  const { faces, faceRegions, objects, source, boxCrops } = analysis;
  return {
    analysis: {
      ...analysis,
      faces: faces && { ...faces, items: faces.items.map(face) },
      faceRegions: faceRegions && { ...faceRegions, items: faceRegions.items.map(region) },
      objects: objects && { ...objects, items: objects.items.map(object) },
      source: rendition(source),
      boxCrops: boxCrops.map(jpeg),
    },
    transfer,
  };
}

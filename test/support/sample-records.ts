import { createHash, randomUUID } from 'node:crypto';
import type { NewDetection } from '@sightline/core/detections/detection';
import { mediaKey } from '@sightline/core/media/media-key';
import type { NewSourceImage } from '@sightline/core/sources/source-image';
import type { Scope } from '@sightline/core/store/scope';

/** A source image whose files nobody has written. */
export function sampleSource(
  { environmentId }: Scope,
  changes: Partial<NewSourceImage> = {},
): NewSourceImage {
  const digest = createHash('sha256').update(randomUUID()).digest('hex');
  return {
    digest,
    sizeBytes: 5000,
    format: 'jpeg',
    width: 640,
    height: 480,
    storedWidth: 320,
    storedHeight: 240,
    mediaKey: mediaKey(environmentId, 'sources', { digest, extension: 'jpg' }),
    mediaBytes: 700,
    originalKey: null,
    externalRef: null,
    ...changes,
  };
}

/** A face that nobody knows, without an embedding; its crop does not exist. */
export function sampleFace(
  { environmentId }: Scope,
  changes: Partial<NewDetection> = {},
): NewDetection {
  const digest = createHash('sha256').update(randomUUID()).digest('hex');
  return {
    type: 'face',
    bbox: { x: 10, y: 20, w: 100, h: 120 },
    confidence: 0.9,
    quality: 0.8,
    landmarks: null,
    classId: null,
    className: null,
    identityId: null,
    similarity: null,
    reviewStatus: 'pending',
    decidedBy: 'automatic',
    isManual: false,
    embeddingSource: null,
    age: null,
    gender: null,
    pose: null,
    cropKey: mediaKey(environmentId, 'crops', { digest, extension: 'jpg' }),
    cropBytes: 30,
    embedding: null,
    ...changes,
  };
}

export function sampleObject(scope: Scope, changes: Partial<NewDetection> = {}): NewDetection {
  return sampleFace(scope, {
    type: 'object',
    quality: null,
    classId: 1,
    className: 'bicycle',
    ...changes,
  });
}

import type {
  DetectedFace,
  DetectedObject,
  DetectionRun,
} from '@sightline/contracts/recognition/detection-run';
import type {
  ImageResult,
  StoredFace,
  StoredObject,
} from '@sightline/core/recognition/result/image-result';
import type { z } from 'zod';
import { cropUrl, sourceUrl } from './media-url.ts';
import { presentAssignment } from './present-detection.ts';
import { presentFace } from './present-face.ts';
import { presentRegisteredModel } from './present-model.ts';
import { presentSuggestion } from './present-suggestion.ts';

/** The response of the detection endpoints for one image. */
export function presentDetectionRun(run: ImageResult): z.input<typeof DetectionRun> {
  const { source, reused, models } = run;
  const faces = run.faces.map(presentDetectedFace);
  const objects = run.objects.map(presentDetectedObject);
  return {
    source_image_id: source.id,
    source_image_url: sourceUrl(source.id, source.mediaKey),
    external_ref: source.externalRef,
    width: source.width,
    height: source.height,
    reused,
    model: {
      faces: models.faces && presentRegisteredModel(models.faces),
      objects: models.objects && presentRegisteredModel(models.objects),
    },
    faces,
    objects,
    counts: { faces: faces.length, objects: objects.length },
  };
}

function presentDetectedFace({
  detection,
  enrolled,
  created,
  suggestions,
}: StoredFace): z.input<typeof DetectedFace> {
  const { landmarks } = detection;
  return {
    detection_id: detection.id,
    ...presentFace(detection),
    quality: detection.quality!,
    landmarks: landmarks?.map(({ x, y }) => ({ x, y })) ?? null,
    ...presentAssignment(detection),
    similarity: detection.similarity,
    enrolled,
    created,
    crop_url: cropUrl(detection.id, detection.cropKey),
    suggestions: suggestions.map(presentSuggestion),
  };
}

function presentDetectedObject({
  detection,
  created,
}: StoredObject): z.input<typeof DetectedObject> {
  const { bbox, confidence } = presentFace(detection);
  return {
    detection_id: detection.id,
    bbox,
    confidence,
    class_name: detection.className,
    class_id: detection.classId,
    ...presentAssignment(detection),
    created,
    crop_url: cropUrl(detection.id, detection.cropKey),
  };
}

import type { ImageTest as ImageTestAnswer } from '@sightline/contracts/detections/test-image-contract';
import type { AnalyzedFace } from '@sightline/core/detections/image-analyzer';
import type { ImageTest } from '@sightline/core/detections/test-image';
import type { z } from 'zod';

/** How the answers of /api/test and /api/test/batch show one image. */
export function presentImageTest(result: ImageTest): z.input<typeof ImageTestAnswer> {
  const faces = (result.faces ?? []).map((face) => ({
    ...presentFace(face),
    // There are no identities that a face could be matched with.
    label: null,
    similarity: null,
    identity_id: null,
  }));
  const objects = (result.objects ?? []).map(({ bbox, confidence, className, classId }) => ({
    bbox,
    confidence,
    class_name: className,
    class_id: classId,
  }));
  return {
    faces,
    objects,
    counts: { faces: faces.length, objects: objects.length },
    available: result.available,
  };
}

/** The members that every answer with a face has. */
export function presentFace({ bbox, confidence, age, gender, pose }: AnalyzedFace) {
  const degrees: [number, number, number] | null = pose && [...pose];
  return { bbox, confidence, age, gender, pose: degrees };
}

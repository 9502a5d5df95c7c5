import type { ImageTest as ImageTestAnswer } from '@sightline/contracts/recognition/test-image-contract';
import type { ImageTest } from '@sightline/core/recognition/test-image';
import { presentFace, presentMatch } from '@sightline/presentation/present-face';
import type { z } from 'zod';

/** Presents one image for /api/test and /api/test/batch. */
export function presentImageTest(result: ImageTest): z.input<typeof ImageTestAnswer> {
  const faces = (result.faces ?? []).map((tested) => ({
    ...presentFace(tested.face),
    ...presentMatch(tested),
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

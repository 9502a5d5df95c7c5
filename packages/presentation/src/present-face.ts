import type { AnalyzedFace } from '@sightline/core/analysis/image-analyzer';
import type { IdentifiedFace } from '@sightline/core/recognition/identify-faces';

type Face = Pick<AnalyzedFace, 'bbox' | 'confidence' | 'age' | 'gender' | 'pose' | 'turned'>;

/** The members that all responses with a face have in common. */
export function presentFace({ bbox, confidence, age, gender, pose, turned }: Face) {
  const { x, y, w, h } = bbox;
  const degrees: [number, number, number] | null = pose && [...pose];
  return { bbox: { x, y, w, h }, confidence, age, gender, pose: degrees, turned };
}

/** The members of a response that describe the best match of a face that is not stored. */
export function presentMatch({
  identity,
  similarity,
}: Pick<IdentifiedFace, 'identity' | 'similarity'>) {
  return { identity_id: identity?.id ?? null, label: identity?.label ?? null, similarity };
}

import type { OperationBody } from '../../client/operations.ts';
import type { SeenState } from '../../decisions/decision-state.ts';

export type QueuedFace = OperationBody<'listReviewQueue'>['items'][number];
export type Mismatch = OperationBody<'listMismatches'>['items'][number];

/** A person whom a face may be. */
export interface Candidate {
  readonly identityId: number;
  readonly label: string;
  readonly similarity: number;
}

/** A face about which the person decides. */
export interface Card {
  readonly face: number;
  readonly cropUrl: string;
  readonly imageId: number;
  readonly bbox: QueuedFace['bbox'];
  readonly detectedAt: string;
  /** The person to whom the face is assigned. */
  readonly current: { readonly identityId: number; readonly label: string } | null;
  /** The most similar people, the best first. */
  readonly candidates: readonly Candidate[];
  /** The similarity of a mismatch to the other faces of its person; otherwise null. */
  readonly similarity: number | null;
  readonly seen: SeenState;
}

export function cardOfQueued(face: QueuedFace): Card {
  return {
    ...commonOf(face),
    candidates: face.suggested_matches.map(({ identity_id: identityId, label, similarity }) => ({
      identityId,
      label,
      similarity,
    })),
    similarity: null,
    seen: { status: 'pending' },
  };
}

export function cardOfMismatch(face: Mismatch): Card {
  return {
    ...commonOf(face),
    candidates: [],
    similarity: face.similarity,
    seen: { status: 'confirmed', identityId: face.current_identity.identity_id },
  };
}

function commonOf(face: QueuedFace | Mismatch) {
  const current = face.current_identity;
  return {
    face: face.detection_id,
    cropUrl: face.crop_url,
    imageId: face.source_image_id,
    bbox: face.bbox,
    detectedAt: face.detected_at,
    current: current && { identityId: current.identity_id, label: current.label },
  };
}

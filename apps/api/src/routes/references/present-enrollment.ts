import type { EnrolledFace } from '@sightline/core/recognition/enroll-face';

/** How the endpoints that enrol a photo answer. */
export function presentEnrollment({ identityId, label, embeddingId, enrolled }: EnrolledFace) {
  return {
    status: 200,
    body: { identity_id: identityId, label, embedding_id: embeddingId, enrolled },
  } as const;
}

import type { EnrolledFace } from '@sightline/core/recognition/enroll-face';

export function presentEnrollment({ identityId, label, embeddingId, enrolled }: EnrolledFace) {
  return {
    status: 200,
    body: { identity_id: identityId, label, embedding_id: embeddingId, enrolled },
  } as const;
}

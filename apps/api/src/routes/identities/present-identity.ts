import type {
  Identity as IdentityAnswer,
  IdentityDetails as IdentityDetailsAnswer,
} from '@sightline/contracts/identities/identity';
import type { Identity, IdentityDetails } from '@sightline/core/identities/identity';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';

export function presentIdentity(identity: Identity): z.input<typeof IdentityAnswer> {
  return {
    id: identity.id,
    type: identity.type,
    label: identity.label,
    external_ref: identity.externalRef,
    cover_detection_id: identity.coverDetectionId,
    created_at: identity.createdAt.toISOString(),
  };
}

export function presentIdentityDetails(
  identity: IdentityDetails,
): z.input<typeof IdentityDetailsAnswer> {
  const { thumbnail } = identity;
  return {
    ...presentIdentity(identity),
    detection_count: identity.detectionCount,
    embedding_count: identity.embeddingCount,
    pending_review_count: identity.pendingReviewCount,
    last_seen_at: identity.lastSeenAt?.toISOString() ?? null,
    thumbnail_url: thumbnail && cropUrl(thumbnail.detectionId, thumbnail.cropKey),
  };
}

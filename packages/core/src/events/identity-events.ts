import type { Identity } from '../identities/identity.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { DomainEvent } from './domain-event.ts';

export function identityCreated({ id, label, type, externalRef }: Identity): DomainEvent {
  return {
    event: 'identity.created',
    data: { identity_id: id, label, type, external_ref: externalRef },
  };
}

export function embeddingAdded(reference: ReferenceLink): DomainEvent {
  return embeddingChanged('embedding_added', reference);
}

export function embeddingRemoved(reference: ReferenceLink): DomainEvent {
  return embeddingChanged('embedding_removed', reference);
}

/** For an identity whose cover is a detection that leaves it. */
export function coverCleared(identityId: number): DomainEvent {
  return {
    event: 'identity.updated',
    data: { identity_id: identityId, action: 'thumbnail_updated', cover_detection_id: null },
  };
}

function embeddingChanged(
  action: 'embedding_added' | 'embedding_removed',
  { id, identityId, detectionId }: ReferenceLink,
): DomainEvent {
  return {
    event: 'identity.updated',
    data: { identity_id: identityId, action, embedding_id: id, detection_id: detectionId },
  };
}

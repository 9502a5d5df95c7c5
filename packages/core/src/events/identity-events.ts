import type { Identity } from '../identities/identity.ts';
import type { ReferenceLink } from '../references/reference.ts';
import type { DomainEvent } from './domain-event.ts';

export function identityCreated({ id, label, type, externalRef }: Identity): DomainEvent {
  return { event: 'identity_created', facts: { identityId: id, label, type, externalRef } };
}

export function identityRenamed(
  identityId: number,
  labels: { readonly label: string; readonly previousLabel: string },
): DomainEvent {
  return { event: 'identity_renamed', facts: { identityId, ...labels } };
}

/** @param identityId the identity that is merged into `mergedInto` and deleted */
export function identityMerged(identityId: number, mergedInto: number): DomainEvent {
  return { event: 'identity_merged', facts: { identityId, mergedInto } };
}

/** @param externalRef the one of an identity whose row is deleted already */
export function identityDeleted(identityId: number, externalRef?: string | null): DomainEvent {
  return { event: 'identity_deleted', facts: { identityId, externalRef } };
}

export function embeddingAdded(reference: ReferenceLink): DomainEvent {
  return { event: 'embedding_added', facts: factsOf(reference) };
}

export function embeddingRemoved(reference: ReferenceLink): DomainEvent {
  return { event: 'embedding_removed', facts: factsOf(reference) };
}

/** The event for an identity whose cover is not one of its detections anymore. */
export function coverCleared(identityId: number): DomainEvent {
  return coverChanged(identityId, null);
}

export function coverChanged(identityId: number, coverDetectionId: number | null): DomainEvent {
  return { event: 'cover_changed', facts: { identityId, coverDetectionId } };
}

function factsOf({ id, identityId, detectionId }: ReferenceLink) {
  return { referenceId: id, identityId, detectionId };
}

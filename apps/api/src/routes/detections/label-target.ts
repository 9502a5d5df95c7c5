import type { LabelTarget } from '@sightline/core/curation/face-task';

/** The identity that a body names by label or by id; null if the body has neither of the members, or both. */
export function labelTarget(fields: {
  readonly label?: string | undefined;
  readonly identity_id?: number | undefined;
}): LabelTarget | null {
  const { label, identity_id: identityId } = fields;
  if (label !== undefined && identityId === undefined) return { label };
  if (identityId !== undefined && label === undefined) return { identityId };
  return null;
}

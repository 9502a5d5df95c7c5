import type { LabelTarget } from '@sightline/core/curation/face-task';

/** The identity that a body names by label or by id; null if it gives none or both of them. */
export function labelTarget(fields: {
  readonly label?: string | undefined;
  readonly identity_id?: number | undefined;
}): LabelTarget | null {
  const { label, identity_id: identityId } = fields;
  if (label !== undefined && identityId === undefined) return { label };
  if (identityId !== undefined && label === undefined) return { identityId };
  return null;
}

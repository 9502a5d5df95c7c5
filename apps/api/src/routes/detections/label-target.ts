import type { LabelTarget } from '@sightline/core/curation/face-task';

/** The identity that the members of a body name; null if they name none or two. */
export function labelTarget(fields: {
  readonly label?: string | undefined;
  readonly identity_id?: number | undefined;
}): LabelTarget | null {
  const { label, identity_id: identityId } = fields;
  if (label !== undefined && identityId === undefined) return { label };
  if (identityId !== undefined && label === undefined) return { identityId };
  return null;
}

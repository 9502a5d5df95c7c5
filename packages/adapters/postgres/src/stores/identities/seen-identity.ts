/*
 * SQL fragments that decide what readers see of identities that are being deleted or merged. Queries that need
 * the label join the view `assigned_identities`, which applies the same rules.
 */

/**
 * SQL for the id under which readers see an identity. CASE is used, because the planner does not take `coalesce` for
 * leakproof. Under row-level security a condition with `coalesce` could not use an index.
 */
export function seenId(identity: string): string {
  return `CASE WHEN ${identity}.merged_into IS NULL THEN ${identity}.id ELSE ${identity}.merged_into END`;
}

/**
 * SQL that tells whether readers see the identity's rows. Readers see them unless the identity is being deleted. The
 * target of a merge is never being deleted.
 */
export function stays(identity: string): string {
  return `(${identity}.deleting_since IS NULL OR ${identity}.merged_into IS NOT NULL)`;
}

/** SQL that tells whether the identity is being deleted together with its detections. */
export function isDeleted(identity: string): string {
  return `(${identity}.deleting_since IS NOT NULL AND ${identity}.merged_into IS NULL)`;
}

/**
 * A subquery of the ids by which rows refer to an identity: its own id, and the ids of identities that are being merged
 * into it.
 *
 * @param id an SQL expression
 */
export function rowIdsOf(id: string): string {
  return `(
  SELECT id FROM identities WHERE id = ${id}
  UNION ALL SELECT id FROM identities WHERE merged_into = ${id})`;
}

/**
 * An array with the ids of {@link rowIdsOf}.
 *
 * @param id an SQL expression; the identity must exist
 */
export function rowIdArrayOf(id: string): string {
  return `${id} || array(SELECT id FROM identities WHERE merged_into = ${id})`;
}

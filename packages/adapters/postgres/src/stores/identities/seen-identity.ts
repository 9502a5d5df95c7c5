/*
 * SQL fragments that decide what readers see of identities that are being deleted or merged. Queries that need
 * the label join the view `assigned_identities`, which applies the same rules.
 */

/**
 * The id under which readers see the identity. It avoids `coalesce`, which the planner does not take for
 * leakproof: under row-level security a condition with it would not use an index.
 */
export function seenId(identity: string): string {
  return `CASE WHEN ${identity}.merged_into IS NULL THEN ${identity}.id ELSE ${identity}.merged_into END`;
}

/** Whether readers see its rows, that is, it is not being deleted. The target of a merge never is. */
export function stays(identity: string): string {
  return `(${identity}.deleting_since IS NULL OR ${identity}.merged_into IS NOT NULL)`;
}

/** Whether it is being deleted with its detections, which no reader finds. */
export function isDeleted(identity: string): string {
  return `(${identity}.deleting_since IS NOT NULL AND ${identity}.merged_into IS NULL)`;
}

/**
 * A subquery of the ids by which rows refer to an identity: its own, and those of identities that are being merged
 * into it.
 *
 * @param id as SQL
 */
export function rowIdsOf(id: string): string {
  return `(
  SELECT id FROM identities WHERE id = ${id}
  UNION ALL SELECT id FROM identities WHERE merged_into = ${id})`;
}

/**
 * The ids of {@link rowIdsOf} as an array.
 *
 * @param id as SQL; the identity must exist
 */
export function rowIdArrayOf(id: string): string {
  return `${id} || array(SELECT id FROM identities WHERE merged_into = ${id})`;
}

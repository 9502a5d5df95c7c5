/*
 * SQL about rows of the table `identities`, while identities are deleted or merge. Queries that need the
 * label join the view `assigned_identities`, which says the same.
 */

/**
 * The id as which the identity is seen. Not with `coalesce`, which the planner takes for a function that
 * may tell what it gets: under row-level security a condition with it would not use an index.
 */
export function seenId(identity: string): string {
  return `CASE WHEN ${identity}.merged_into IS NULL THEN ${identity}.id ELSE ${identity}.merged_into END`;
}

/** Whether its rows are seen: it is not being deleted. What an identity merges into does not leave. */
export function stays(identity: string): string {
  return `(${identity}.leaving_since IS NULL OR ${identity}.merged_into IS NOT NULL)`;
}

/** Whether it is being deleted with its detections, which no reader finds any more. */
export function isDeleted(identity: string): string {
  return `(${identity}.leaving_since IS NOT NULL AND ${identity}.merged_into IS NULL)`;
}

/**
 * A subquery of the ids by which rows refer to an identity: its own, and those of identities that merge
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
 * @param id as SQL; of one that is there
 */
export function rowIdArrayOf(id: string): string {
  return `${id} || array(SELECT id FROM identities WHERE merged_into = ${id})`;
}

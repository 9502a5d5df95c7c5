/*
 * SQL about the row of an identity in the table `identities`, for queries that need no label; with it,
 * they join the view `assigned_identities`, which says the same.
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

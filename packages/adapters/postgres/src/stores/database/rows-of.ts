/**
 * The rows of arrays, as SQL in a `FROM`, for a prepared statement. The limit removes no row. It makes the planner
 * assume an unknown number of rows instead of ten, so that a custom plan never looks cheaper than the generic one
 * and the server does not plan each execution again.
 *
 * @param arrays of one length, as SQL
 */
export function rowsOf(...arrays: readonly [string, ...string[]]): string {
  return `(SELECT * FROM unnest(${arrays.join(', ')}) LIMIT cardinality(${arrays[0]}))`;
}

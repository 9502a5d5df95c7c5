/**
 * SQL for a `FROM` clause that turns arrays into rows, for prepared statements. The LIMIT removes no row: it makes the
 * planner assume an unknown number of rows. Otherwise the planner would assume ten rows, find a custom plan cheaper,
 * and plan each execution again.
 *
 * @param arrays SQL expressions of arrays with equal lengths
 */
export function rowsOf(...arrays: readonly [string, ...string[]]): string {
  return `(SELECT * FROM unnest(${arrays.join(', ')}) LIMIT cardinality(${arrays[0]}))`;
}

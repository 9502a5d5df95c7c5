/**
 * The number of threads whose models fit into the memory limit, at least 1. Models and process take at most half of
 * the limit: the other half is for images, for what the runtime allocates while it works, and for the models of a switch,
 * which are loaded beside the present ones.
 *
 * All values are in bytes. `base` is the memory of the process without models, `thread` that of the first thread.
 */
export function threadsWithin({
  limit,
  base,
  thread,
}: {
  readonly limit: number;
  readonly base: number;
  readonly thread: number;
}): number {
  return Math.max(1, Math.floor((limit / 2 - base) / Math.max(1, thread)));
}

/**
 * The limits in ms of tests and hooks that take longer than Jest's default of five minutes on a busy machine. Shorter limits do
 * not exist, because a machine whose cores are all busy exhausts them.
 */

/** A test that starts and kills processes one after the other, each of which takes seconds. */
export const MANY_STARTS_MS = 900_000;

/** A test that kills a process at each step of many operations; in a soak there are hundreds of deaths. */
export const MANY_DEATHS_MS = 1_800_000;

/** A test on a Kubernetes node, where pods start, roll over and are deleted. */
export const NODE_MS = 600_000;

/** A search of a million references, which only a soak plants. */
export const LARGE_GALLERY_MS = 7_200_000;

/** A series of requests that lasts until memory no longer grows. */
export const MEMORY_SERIES_MS = 1_800_000;

/** A series of random requests, of which a soak sends many. */
export const FUZZING_MS = 900_000;

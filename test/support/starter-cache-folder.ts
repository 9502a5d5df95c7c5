import { resolve } from 'node:path';

/** The cache of the tests, which stays: what it holds is fetched once for a checkout. */
export const STARTER_CACHE = resolve(import.meta.dirname, '../../.cache/starter');

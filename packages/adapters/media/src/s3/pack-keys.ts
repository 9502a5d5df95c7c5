/** The prefix of packs in the bucket, with which no key of media begins. */
export const PACK_PREFIX = 'models/';

/** The object that a store of packs keeps under a key. */
export function inPackFolder(key: string): string {
  return PACK_PREFIX + key;
}

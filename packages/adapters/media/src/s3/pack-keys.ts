/** Where packs are in the bucket: no key of media begins like this. */
export const PACK_PREFIX = 'models/';

/** The object that a store of packs keeps under a key. */
export function inPackFolder(key: string): string {
  return PACK_PREFIX + key;
}

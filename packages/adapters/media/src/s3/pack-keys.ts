/** The prefix of model packs in the bucket. No media key starts with this prefix. */
export const PACK_PREFIX = 'models/';

/** Returns the name of the S3 object for a key of the pack store. */
export function inPackFolder(key: string): string {
  return PACK_PREFIX + key;
}

import type { HostWish } from '@sightline/core/models/model-hosts';
import { parseAs, wishSchema } from './head-schemas.ts';
import { parseHead } from './preamble.ts';

/** The `Content-Type` of a wish. */
export const WISH_TYPE = 'application/json';

/** Limit for a wish, in bytes: it names four revisions at most. */
export const MAX_WISH_BYTES = 4_096;

/** A wish as JSON. */
export function encodeWish({ provider, sets }: HostWish): string {
  return JSON.stringify({ provider, sets });
}

/** @throws MalformedMessage also if there is anything that a wish does not have */
export function decodeWish(bytes: Uint8Array): HostWish {
  return parseAs(wishSchema, parseHead(bytes));
}

import { createHash } from 'node:crypto';
import type { RouteContract } from '@sightline/contracts/define-contract';
import { Base64Text } from '@sightline/platform/http/base64-text';
import type { ValidRequest } from './define-route.ts';

/** Longer texts, such as images in base64, are replaced by their digests before the request is hashed. */
const MAX_PLAIN_LENGTH = 1024;

/**
 * Returns the SHA-256 of a request's endpoint, parameters, fields and files. The order of members and the layout of
 * a form do not change the result.
 */
export function fingerprintOf(
  { method, path }: Pick<RouteContract, 'method' | 'path'>,
  request: Pick<ValidRequest, 'path' | 'query' | 'body'>,
): Uint8Array {
  const { fields = {}, files = [], texts = [] } = request.body ?? {};
  const given = { ...fields, ...Object.fromEntries(texts) };
  const parts = files.map(({ field, digest, size }) => [field, size, hex(digest)]);
  const content = [method, path, request.path, request.query, given, parts].map(canonical);
  return createHash('sha256').update(JSON.stringify(content)).digest();
}

function hex(digest: Uint8Array | null): string | null {
  return digest && Buffer.from(digest).toString('hex');
}

/** Returns the same form for equal values: members are sorted by name, and absent members are omitted. */
function canonical(value: unknown): unknown {
  if (typeof value === 'string') return canonicalText(value);
  // A contract turns times into dates, which have no members.
  if (value instanceof Date) return { time: value.toISOString() };
  if (value instanceof Base64Text) return { sha256: hex(value.digest()) };
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value ?? null;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
}

function canonicalText(text: string): unknown {
  if (text.length <= MAX_PLAIN_LENGTH) return text;
  return { sha256: createHash('sha256').update(text).digest('hex') };
}

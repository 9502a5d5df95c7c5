import { createHash } from 'node:crypto';
import type { RouteContract } from '@sightline/contracts/define-contract';
import type { ValidRequest } from './define-route.ts';

/** Longer texts, such as images in base64, go in by their digest. */
const MAX_PLAIN_LENGTH = 1024;

/**
 * SHA-256 over what a request asks for: endpoint, parameters, fields and the bytes of its files. The
 * same request has the same one, however a form or an object is laid out.
 */
export function fingerprintOf(
  { method, path }: Pick<RouteContract, 'method' | 'path'>,
  request: Pick<ValidRequest, 'path' | 'query' | 'body'>,
): Uint8Array {
  const { fields = {}, files = [] } = request.body ?? {};
  const parts = files.map(({ field, digest, size }) => [field, size, hex(digest)]);
  const asked = [method, path, request.path, request.query, fields, parts].map(canonical);
  return createHash('sha256').update(JSON.stringify(asked)).digest();
}

function hex(digest: Uint8Array | null): string | null {
  return digest && Buffer.from(digest).toString('hex');
}

/** Equal values in one form: members in the order of their names, absent ones left out. */
function canonical(value: unknown): unknown {
  if (typeof value === 'string') return canonicalText(value);
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

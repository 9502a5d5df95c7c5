import { createHash } from 'node:crypto';

/** The parts of the id of a group. */
export interface ClusterKey {
  /** The lowest id of the faces. */
  readonly lowest: number;
  /** The cosine from which groups are joined. */
  readonly cosine: number;
  /**
   * The number of the faces, and a digest of their ids. A group is shown as it is now, whatever they are. They tell a
   * decision about a group whether it is the one that the client has seen.
   */
  readonly size: number;
  readonly digest: string;
}

/** Returns the id of a group, which stays the same while its faces do. */
export function clusterId(ids: readonly number[], cosine: number): string {
  const { lowest, size, digest } = keyOf(ids, cosine);
  const parts = [lowest, cosine, size, digest];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Whether an id was that of a group of these faces. */
export function isOfFaces({ cosine, ...key }: ClusterKey, ids: readonly number[]): boolean {
  if (ids.length !== key.size) return false;
  const { lowest, digest } = keyOf(ids, cosine);
  return lowest === key.lowest && digest === key.digest;
}

function keyOf(ids: readonly number[], cosine: number): ClusterKey {
  const ascending = Float64Array.from(ids).sort();
  const digest = createHash('sha256').update(ascending).digest('base64url').slice(0, 16);
  return { lowest: ascending[0]!, cosine, size: ascending.length, digest };
}

/** Returns what an id says; null for a text that is no id of a group. */
export function parseClusterId(id: string): ClusterKey | null {
  const parts = parse(Buffer.from(id, 'base64url').toString());
  if (!Array.isArray(parts) || parts.length !== 4) return null;
  const [lowest, cosine, size, digest] = parts as readonly unknown[];
  if (!Number.isSafeInteger(lowest) || !Number.isSafeInteger(size)) return null;
  if (typeof cosine !== 'number' || !(Math.abs(cosine) <= 1)) return null;
  if (typeof digest !== 'string') return null;
  return { lowest: lowest as number, cosine, size: size as number, digest };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

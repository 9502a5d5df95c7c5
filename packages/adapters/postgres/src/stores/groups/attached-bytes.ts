import type { AttachedStranger } from '@sightline/core/groups/followed-faces';
import { toBytes, toFloat64 } from '../references/vector-bytes.ts';

/** The numbers of each stranger: id, confidence, face that it joined or 0, cosine. */
const NUMBERS = 4;

export function packAttached(strangers: readonly AttachedStranger[]): Uint8Array {
  const numbers = strangers.flatMap(({ id, confidence, joined }) => [
    id,
    confidence,
    joined?.face ?? 0,
    joined?.cosine ?? 0,
  ]);
  return toBytes(Float64Array.from(numbers));
}

export function unpackAttached(bytes: Uint8Array): readonly AttachedStranger[] {
  const numbers = toFloat64(bytes);
  return Array.from({ length: numbers.length / NUMBERS }, (_, index) => {
    const [id, confidence, face, cosine] = numbers.slice(NUMBERS * index, NUMBERS * (index + 1));
    const joined = face === 0 ? null : { face: face!, cosine: cosine! };
    return { id: id!, confidence: confidence!, joined };
  });
}

/**
 * Returns the cosine similarity of two L2-normalized embeddings, -1 to 1.
 *
 * @throws RangeError if the lengths differ, because the embeddings are then of different models
 */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new RangeError(`Embeddings of ${a.length} and ${b.length} values cannot be compared.`);
  }
  let dot = 0;
  for (let i = 0; i < a.length; i++) dot += a[i]! * b[i]!;
  return Math.max(-1, Math.min(1, dot));
}

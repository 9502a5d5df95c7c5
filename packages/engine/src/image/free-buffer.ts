/**
 * Frees the memory of a large array at once. The garbage collector would free it later and might let several images pile
 * up, because a worker thread allocates few objects, and because the collector does not know how much memory is behind a
 * buffer of a native library. An array that shares its buffer is left alone, because the others would become empty too.
 */
export function freeBuffer({ buffer, byteLength }: Uint8Array): void {
  const ownsBuffer = 'transfer' in buffer && buffer.byteLength === byteLength;
  if (ownsBuffer && !buffer.detached) buffer.transfer(0);
}

import { setImmediate as turn } from 'node:timers/promises';

/** Bytes that are copied in one turn of the event loop: many requests may be at it at the same time. */
const COPIED_AT_ONCE = 1024 ** 2;

/**
 * The bytes of all chunks in one buffer of its own, which may be transferred to a worker. The chunks
 * are released as they are copied.
 *
 * @param size of all chunks together
 */
export async function joinChunks(
  chunks: Uint8Array[],
  size: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // Not Buffer.concat: small buffers share one pool, and a pool cannot be transferred.
  const bytes = new Uint8Array(size);
  let offset = 0;
  let pause = COPIED_AT_ONCE;
  for (const chunk of chunks.splice(0)) {
    bytes.set(chunk, offset);
    offset += chunk.length;
    if (offset < pause) continue;
    pause += COPIED_AT_ONCE;
    await turn();
  }
  return bytes;
}

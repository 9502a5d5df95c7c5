import { isMarkedAsUntransferable } from 'node:worker_threads';

/**
 * Returns the same elements in an ArrayBuffer that can be transferred to another thread. The result
 * is the view itself if the view owns its whole buffer, and otherwise a copy.
 *
 * Shared memory and memory of native libraries cannot be transferred. A part of a larger buffer is
 * copied because a transfer would send the whole buffer. For example, Node allocates small
 * `Buffer`s from a shared pool, and a transfer would detach all other `Buffer`s in that pool.
 */
export function detachable<T extends Uint8Array | Float32Array>(
  view: T,
): T & { readonly buffer: ArrayBuffer } {
  const { buffer } = view;
  const ownsItsBuffer =
    !(buffer instanceof SharedArrayBuffer) &&
    view.byteLength === buffer.byteLength &&
    !isMarkedAsUntransferable(buffer);
  return (ownsItsBuffer ? view : copyOf(view)) as T & { readonly buffer: ArrayBuffer };
}

function copyOf(view: Uint8Array | Float32Array): Uint8Array | Float32Array {
  // `view.slice()` is not used, because for a Buffer it returns a view of the same memory.
  return view instanceof Float32Array ? new Float32Array(view) : new Uint8Array(view);
}

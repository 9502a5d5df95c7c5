import { isMarkedAsUntransferable } from 'node:worker_threads';

/**
 * The same elements in an ArrayBuffer that can be transferred to another thread: the view itself if
 * it owns its whole buffer, else a copy.
 *
 * A copy is needed for small `Buffer`s, because Node allocates them from a shared pool and a
 * transfer would detach the others; for any part of a larger buffer, because all of it would be
 * sent; for shared memory; and for memory of native libraries.
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
  // Not view.slice(): for a Buffer it returns a view of the same memory.
  return view instanceof Float32Array ? new Float32Array(view) : new Uint8Array(view);
}

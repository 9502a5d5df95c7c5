import { isMarkedAsUntransferable } from 'node:worker_threads';

/**
 * A view of the same elements whose whole ArrayBuffer may be transferred to another thread: the
 * view itself where it owns all of its buffer, else a copy.
 *
 * A copy is needed for small `Buffer`s, which are slices of one that Node shares between them (a
 * transfer would take the others' bytes away), for any other part of a larger buffer (a transfer or
 * a clone would send all of it), for shared memory, and for memory that belongs to a native library.
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
  // Not view.slice(): that of a Buffer is another view of the same memory.
  return view instanceof Float32Array ? new Float32Array(view) : new Uint8Array(view);
}

import type { Raster } from '../../image/raster.ts';

/**
 * Makes an image of reproducible noise with the `rand` of ANSI C, so that programs in other
 * languages can make the same image.
 */
export function noise(width: number, height: number): Raster {
  let state = 12345;
  const data = Uint8Array.from({ length: 3 * width * height }, () => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 16) & 255;
  });
  return { data, width, height };
}

export function fnv1a(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

import type { LibraryOptions } from './plant-library.ts';

/**
 * The library of the bench, or a part of it: an environment with a million detections, one that has only
 * names, and thousands of small ones.
 *
 * @param scale 1 for all of it
 */
export function librarySize(scale: number): Pick<LibraryOptions, 'large' | 'names' | 'small'> {
  const part = (of: number) => Math.ceil(of * scale);
  return {
    large: {
      images: part(300_000),
      detections: part(1_000_000),
      identities: part(100_000),
      references: part(300_000),
    },
    names: part(200_000),
    small: {
      environments: part(5000),
      size: { images: 3, detections: 6, identities: 3, references: 3 },
    },
  };
}

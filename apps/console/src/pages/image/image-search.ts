import { type ImagesSearch, parseImagesSearch } from '../images/images-search.ts';

/** The list in which the image is, and the detection that is chosen in it. */
export type ImageSearch = ImagesSearch & { readonly detection?: number | undefined };

export function parseImageSearch(raw: Record<string, unknown>): ImageSearch {
  const { detection } = raw;
  return {
    ...parseImagesSearch(raw),
    detection: Number.isSafeInteger(detection) ? (detection as number) : undefined,
  };
}

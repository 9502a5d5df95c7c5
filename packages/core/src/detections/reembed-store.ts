import type { SourceImage } from '../sources/source-image.ts';

/** Which stored faces lack a vector of a model. Throws StoreUnavailable. */
export interface ReembedStore {
  /** Environments with such faces, and how many images hold them. */
  environmentsBehind(
    modelId: number,
    signal?: AbortSignal,
  ): Promise<readonly { readonly environmentId: number; readonly images: number }[]>;
  /**
   * Images with such faces, from the first id above `after`; those with references come first:
   * `enrolled` asks for them alone.
   */
  imagesBehind(
    query: {
      readonly environmentId: number;
      readonly modelId: number;
      readonly enrolled: boolean;
      readonly after: number;
      readonly limit: number;
    },
    signal?: AbortSignal,
  ): Promise<readonly SourceImage[]>;
}

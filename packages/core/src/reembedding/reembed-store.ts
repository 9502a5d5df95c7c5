import type { SourceImage } from '../sources/source-image.ts';

/**
 * Which stored faces are behind a model: without a vector of it, or without a reference of it while
 * they have one of another. Throws StoreUnavailable.
 */
export interface ReembedStore {
  /**
   * Images with such faces, ascending from the first id above `after`; `enrolled`: only those where
   * such a face has a reference, of any model.
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

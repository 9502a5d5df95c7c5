import type { ImageResult } from '@sightline/core/recognition/result/image-result';

/** The operation that keeps removed detections about which people decided; no member if there is none. */
export function presentReplaced({ operationId }: ImageResult): { readonly operation_id?: number } {
  return operationId === null ? {} : { operation_id: operationId };
}

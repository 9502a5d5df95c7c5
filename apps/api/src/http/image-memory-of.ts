import type { Tenant } from '@sightline/core/analysis/tenant';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import type { ImageMemory, TakeMemory } from '@sightline/core/sources/image-memory';
import type { BodyMemory, BodyShare } from '@sightline/platform/http/body-memory';

/** The seconds until memory is requested again. An image is analyzed within a few. */
const RETRY_AFTER_SECONDS = 5;

/** Counts images that a request reads in addition to its body, in the memory for bodies. */
export function imageMemoryOf(
  memory: BodyMemory,
  { tenant, ofRequest }: { readonly tenant: Tenant; readonly ofRequest: BodyShare },
): ImageMemory {
  return {
    take: taking(ofRequest),
    open() {
      const share = memory.open(tenant);
      return { take: taking(share), [Symbol.dispose]: () => share[Symbol.dispose]() };
    },
  };
}

function taking(share: BodyShare): TakeMemory {
  return (bytes) => {
    if (bytes === 0 || share.add(bytes)) return;
    throw new InferenceOverloaded(
      RETRY_AFTER_SECONDS,
      'The service is processing too many images; try again later.',
    );
  };
}

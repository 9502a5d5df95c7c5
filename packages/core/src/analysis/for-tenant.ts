import type { ImageAnalyzer } from './image-analyzer.ts';
import type { Tenant } from './tenant.ts';

/** Wraps an analyzer, so that all requests are of one tenant. */
export function forTenant(analyzer: ImageAnalyzer, tenant: Tenant): ImageAnalyzer {
  return {
    status: (signal) => analyzer.status(signal),
    requireRoom: () => analyzer.requireRoom(tenant),
    analyze: (request, signal) => analyzer.analyze({ ...request, tenant }, signal),
  };
}

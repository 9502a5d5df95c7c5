import type { ImageAnalyzer } from './image-analyzer.ts';
import type { Tenant } from './tenant.ts';

/** The same analyzer, which works on behalf of one tenant. */
export function forTenant(analyzer: ImageAnalyzer, tenant: Tenant): ImageAnalyzer {
  return {
    status: (signal) => analyzer.status(signal),
    requireRoom: () => analyzer.requireRoom(tenant),
    analyze: (request, signal) => analyzer.analyze({ ...request, tenant }, signal),
  };
}

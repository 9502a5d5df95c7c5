import type { Health } from '@sightline/contracts/discovery/get-health-contract';
import type { z } from 'zod';

export interface HealthAnswer {
  readonly status: 200 | 503;
  readonly body: z.input<typeof Health>;
}

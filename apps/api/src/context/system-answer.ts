import type { SystemStatus } from '@sightline/contracts/system/get-system-status-contract';
import type { z } from 'zod';

export type SystemAnswer = z.input<typeof SystemStatus>;

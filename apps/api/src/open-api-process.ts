import { tmpdir } from 'node:os';
import { openExternal } from '@sightline/composition/open-external';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createApiRole } from './role.ts';

const PROCESS = {
  name: 'An API process',
  applicationName: 'sightline api',
  needs: ['media', 'vectors', 'inference'],
} as const;

/** The machine keeps no data, but others write to its disk: logs, and the system itself. */
const SPOOL_RESERVE_BYTES = 256_000_000;

/** The groups of variables that an API process reads. */
export const API_VARIABLES = [
  'server',
  'spool',
  'start',
  'database',
  ...PROCESS.needs,
  'inferenceKey',
] as const;

/** @throws StartError if an external service is not configured, unavailable or unusable */
export async function openApiProcess(
  context: ProcessContext<(typeof API_VARIABLES)[number]>,
): Promise<OpenedProcess> {
  const services = await openExternal(PROCESS, context);
  createDiskMetrics(context.registry, { spool: tmpdir() });
  return {
    roles: [createApiRole({ ...context, ...services, spoolReserve: SPOOL_RESERVE_BYTES })],
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
}

import { tmpdir } from 'node:os';
import { openExternal } from '@sightline/composition/open-external';
import { Spool, SPOOL_RESERVE_BYTES } from '@sightline/platform/http/spool';
import { createDiskMetrics } from '@sightline/platform/metrics/disk-metrics';
import type { OpenedProcess, ProcessContext } from '@sightline/platform/process/run-process';
import { createApiRole } from './role.ts';

const PROCESS = {
  name: 'An API process',
  applicationName: 'sightline api',
  needs: ['media', 'vectors', 'inference'],
} as const;

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
  const { spoolMax: maxBytes } = context.config;
  const spool = new Spool({ maxBytes, reserveBytes: SPOOL_RESERVE_BYTES });
  return {
    roles: [createApiRole({ ...context, ...services, hasPackStore: true, spool })],
    [Symbol.asyncDispose]: () => services[Symbol.asyncDispose](),
  };
}

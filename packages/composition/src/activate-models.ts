import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseStore } from '@sightline/core/maintenance/lease-store';
import {
  activateAtStart,
  type ActivateAtStartDeps,
} from '@sightline/core/models/activate-at-start';

const LEASE = 'activate-models';
const SECONDS = 30;
const PAUSE_MS = 200;

/**
 * Notes which models answer now, before this process answers anybody; of several that start at once
 * one after the other, so that each environment gets its jobs once.
 *
 * @throws StoreUnavailable, InferenceUnavailable; the signal's reason on abort
 */
export async function activateModels(
  deps: ActivateAtStartDeps & { readonly leases: LeaseStore },
  signal: AbortSignal,
): Promise<void> {
  const holder = randomUUID();
  while (!(await deps.leases.hold(LEASE, holder, SECONDS))) {
    await delay(PAUSE_MS, undefined, { signal });
  }
  try {
    await activateAtStart(deps, signal);
  } finally {
    await deps.leases.release(LEASE, holder);
  }
}

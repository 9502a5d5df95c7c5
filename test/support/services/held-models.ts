import { setTimeout as sleep } from 'node:timers/promises';
import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import { decodeStatus } from '@sightline/engine/wire/status-message';
import type { RunningPlatform } from './running-platform.ts';

const PAUSE_MS = 50;

type Process = Pick<ReturnType<RunningPlatform['process']>, 'plan'>;

/** Waits until the status of an inference process fulfills a condition, and returns the status. */
export async function statusOnce(
  { plan }: Process,
  condition: (status: AnalyzerStatus) => boolean,
): Promise<AnalyzerStatus> {
  for (;;) {
    const answer = await fetch(
      `http://127.0.0.1:${plan.environment.SIGHTLINE_PORT}/v1/status`,
    ).catch(() => null);
    const status = answer?.ok ? decodeStatus(new Uint8Array(await answer.arrayBuffer())) : null;
    if (status !== null && condition(status)) return status;
    await sleep(PAUSE_MS);
  }
}

/** Returns the name of the face model that answers requests that name no model. */
export function preferredFaces({ models }: AnalyzerStatus): string | undefined {
  return models.find(({ task }) => task === 'face')?.name;
}

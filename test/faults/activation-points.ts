import { setTimeout as sleep } from 'node:timers/promises';
import { slotLockKey } from '@sightline/postgres/doors/lock-plan';
import { statusOnce } from '../support/services/held-models.ts';
import type { BreakablePlatform } from './breakable-platform.ts';

const PAUSE_MS = 20;

/** An activation of a face model that has not been requested yet. */
export interface Activation {
  readonly modelId: number;
  readonly name: string;
  readonly ask: () => void;
}

/** Brings an activation to a point of its life, and keeps it at that point until disposal. */
export type Reach = (stormy: BreakablePlatform, activation: Activation) => Promise<AsyncDisposable>;

const FREE: AsyncDisposable = { [Symbol.asyncDispose]: () => Promise.resolve() };

/** The points of an activation, in the order of its life. */
export const ACTIVATION_POINTS = {
  'when it is asked for': async (stormy, { modelId, ask }) => {
    const worker = stormy.platform.process('worker');
    worker.hang();
    ask();
    await untilThere(
      stormy,
      `SELECT FROM activations a JOIN jobs j ON j.id = a.job_id
      WHERE a.model_id = $1 AND j.finished_at IS NULL`,
      [modelId],
    );
    return {
      [Symbol.asyncDispose]() {
        worker.resume();
        return Promise.resolve();
      },
    };
  },
  'while it is loaded': async (stormy, { name, ask }) => {
    const loads = statusOnce(stormy.platform.process('inference-1'), ({ report }) =>
      report.some((model) => model.name === name || model.state === 'warming'),
    );
    ask();
    await loads;
    return FREE;
  },
  'while faces are embedded': async (stormy, { ask }) => {
    const held = await stormy.lock('LOCK TABLE face_vectors IN SHARE MODE');
    ask();
    await untilWorkerWaits(stormy, '%face_vectors%');
    return held;
  },
  'before the switch commits': async (stormy, { ask }) => {
    const held = await holdSwitch(stormy);
    ask();
    await untilWorkerWaits(stormy, '%pg_advisory_xact_lock(%');
    return held;
  },
  'when it has switched': async (stormy, { modelId, ask }) => {
    ask();
    const isActive = `SELECT FROM models WHERE id = $1 AND status = 'active'`;
    await untilThere(stormy, isActive, [modelId]);
    return FREE;
  },
} satisfies Readonly<Record<string, Reach>>;

export type ActivationPoint = keyof typeof ACTIVATION_POINTS;

/** Reaches a point this many milliseconds after the request, before or after the switch. */
export function after(milliseconds: number): Reach {
  return async (stormy, { modelId, ask }) => {
    ask();
    await untilThere(stormy, 'SELECT FROM activations WHERE model_id = $1', [modelId]);
    await sleep(milliseconds);
    return FREE;
  };
}

/** Blocks the switch with the lock that a transaction takes when it stores embeddings of the model. */
function holdSwitch(stormy: BreakablePlatform): Promise<AsyncDisposable> {
  return stormy.lock('SELECT pg_advisory_xact_lock_shared($1)', [String(slotLockKey('face'))]);
}

/** Waits until a statement of the worker that matches the pattern waits for a lock. */
export function untilWorkerWaits(stormy: BreakablePlatform, statement: string): Promise<void> {
  return untilThere(
    stormy,
    `SELECT FROM pg_stat_activity
    WHERE application_name LIKE 'sightline worker%' AND wait_event_type = 'Lock' AND query ILIKE $1`,
    [statement],
  );
}

/** Waits until the query returns a row. */
export async function untilThere(
  { query }: Pick<BreakablePlatform, 'query'>,
  text: string,
  values: readonly unknown[] = [],
): Promise<void> {
  while ((await query(text, values)).length === 0) await sleep(PAUSE_MS);
}

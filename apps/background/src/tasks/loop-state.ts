/**
 * States of a task's loop:
 *
 * - `running`: a run is in progress.
 * - `woken`: a run is in progress, and a wake since its start causes another one: the run may have read already.
 * - `resting`: until the next interval.
 * - `gathering`: until a run that shares the wakes of a short time.
 * - `retrying`: until a run after a failed one, whatever wakes come.
 */
export type LoopState = 'running' | 'woken' | 'resting' | 'gathering' | 'retrying';

/** Events of a loop: a run begins, ends or fails; another part of the process wakes the task. */
export type LoopEvent = 'begin' | 'end' | 'fail' | 'wake';

/** Null: the event cannot happen in this state. */
export const LOOP_STATES: Readonly<
  Record<LoopState, Readonly<Record<LoopEvent, LoopState | null>>>
> = {
  running: { begin: 'running', end: 'resting', fail: 'retrying', wake: 'woken' },
  woken: { begin: 'running', end: 'gathering', fail: 'retrying', wake: 'woken' },
  resting: { begin: 'running', end: null, fail: null, wake: 'gathering' },
  gathering: { begin: 'running', end: null, fail: null, wake: 'gathering' },
  retrying: { begin: 'running', end: null, fail: null, wake: 'retrying' },
};

/**
 * The states of a task's loop:
 *
 * - `running`: a run is in progress.
 * - `woken`: a run is in progress, and another part of the process has woken the task since its start. Another run
 *   follows, because this run may have read its data before the wake.
 * - `resting`: the loop waits for the next interval.
 * - `gathering`: the task was woken. The loop waits a short time, so that further wakes need no run of their own.
 * - `retrying`: the last run failed. The loop waits for the next retry and ignores wakes.
 */
export type LoopState = 'running' | 'woken' | 'resting' | 'gathering' | 'retrying';

/** The events of a loop: a run starts, ends or fails; another part of the process wakes the task. */
export type LoopEvent = 'begin' | 'end' | 'fail' | 'wake';

/** The state after each event. Null means that the event cannot happen in the state. */
export const LOOP_STATES: Readonly<
  Record<LoopState, Readonly<Record<LoopEvent, LoopState | null>>>
> = {
  running: { begin: 'running', end: 'resting', fail: 'retrying', wake: 'woken' },
  woken: { begin: 'running', end: 'gathering', fail: 'retrying', wake: 'woken' },
  resting: { begin: 'running', end: null, fail: null, wake: 'gathering' },
  gathering: { begin: 'running', end: null, fail: null, wake: 'gathering' },
  retrying: { begin: 'running', end: null, fail: null, wake: 'retrying' },
};

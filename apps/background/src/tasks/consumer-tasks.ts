import type { EventConsumer } from '@sightline/core/publishing/event-consumer';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';

/** The pause in ms between two searches for events that the stream lost. */
const SWEEP_MS = 5_000;

/** Creates the two tasks of a consumer. The first task listens until it fails; the second searches for lost events. */
export function consumerTasks(
  consumer: Pick<EventConsumer, 'listen' | 'sweep'>,
  name: string,
): readonly BackgroundTask[] {
  return [
    {
      name,
      everyMs: SWEEP_MS,
      run: async (signal, works) => {
        await consumer.listen(signal, works);
        return ALL_DONE;
      },
    },
    {
      name: `${name}_overdue`,
      everyMs: SWEEP_MS,
      run: async (signal) => {
        await consumer.sweep(signal);
        return ALL_DONE;
      },
    },
  ];
}

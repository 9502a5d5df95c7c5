import type { EventConsumer } from '@sightline/core/publishing/event-consumer';
import { ALL_DONE, type BackgroundTask } from './background-task.ts';

/** How often a consumer looks for what its stream has lost, in ms. */
const SWEEP_MS = 5_000;

/** What keeps a consumer of events going. The first one runs as long as nothing fails. */
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

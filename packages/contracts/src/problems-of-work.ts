import type { ProblemDefinition } from './problem-definition.ts';

/** The problems of jobs that are retried, and of messages that are sent again. */
export const WORK_PROBLEMS = {
  nothing_to_retry: {
    status: 409,
    title: 'Nothing to retry',
    description:
      'No item of the job failed that can be retried; retry a job with failed items within seven days, or start the work again.',
  },
  webhook_inactive: {
    status: 409,
    title: 'Webhook inactive',
    description: 'The webhook is switched off; switch it on before messages are sent to it again.',
  },
  event_expired: {
    status: 409,
    title: 'Event expired',
    description:
      'The event is no longer stored, so its message cannot be sent again; read the changes from the feed.',
  },
} as const satisfies Record<string, ProblemDefinition>;

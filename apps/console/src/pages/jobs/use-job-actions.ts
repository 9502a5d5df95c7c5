import { useMutation } from '@tanstack/react-query';
import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Job } from '../../jobs/job.ts';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import { useJobTexts } from './use-job-texts.ts';

export interface JobActions {
  readonly cancel: (job: Job) => void;
  readonly retry: (job: Job) => void;
  /** The reason why the latest action failed. */
  readonly error: Error | null;
  readonly isPending: boolean;
}

/**
 * Cancels jobs, and retries their failed items.
 *
 * @param onRetried called with the id of the job that retries
 */
export function useJobActions(onRetried?: (id: number) => void): JobActions {
  const send = useSend();
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  const { name } = useJobTexts();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const act = useMutation({
    mutationFn: (action: () => Promise<void>) => action(),
    // The job may have ended or disappeared in between.
    onSettled: () => invalidate('listJobs', 'getJob', 'listJobItems'),
  });
  return {
    cancel: (job) =>
      act.mutate(async () => {
        await send('cancelJob', { path: { id: job.id } });
        announce(texts.cancelledJob(name(job)));
      }),
    retry: (job) =>
      act.mutate(async () => {
        const { body: started } = await send('retryJob', { path: { id: job.id } });
        if (!('job_id' in started)) return;
        const { job_id: id, total } = started;
        announce(texts.retried(formats.number(total), name({ type: job.type, id })));
        onRetried?.(id);
      }),
    error: act.error,
    isPending: act.isPending,
  };
}

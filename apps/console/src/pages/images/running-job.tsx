import { useEffect, useRef } from 'react';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import styles from './images.module.css';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageTexts } from './use-image-texts.ts';

export interface StartedJob {
  readonly id: number;
  readonly action: 'delete' | 'reprocess';
}

export interface RunningJobProps {
  readonly job: StartedJob;
  readonly onEnd: () => void;
}

type Job = OperationBody<'getJob'>;

const hasEnded = (status: Job['status'] | undefined) => status === 'done' || status === 'failed';

/** Shows how far a job is. At its end it offers to take it back. */
export function RunningJob({ job: { id, action }, onEnd }: RunningJobProps) {
  const send = useSend();
  const texts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  const invalidate = useInvalidate();
  const job = useRead('getJob', { path: { id } }, { refetchInterval: 1_000, staleTime: 0 });
  const end = useEnd(action, onEnd);
  const ended = hasEnded(job.data?.status) ? job.data : undefined;
  useEffect(() => {
    if (ended !== undefined) void end(ended);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the end happens once, whatever is rendered then
  }, [ended?.id]);
  const stop = async () => {
    await send('cancelJob', { path: { id } });
    await invalidate('getJob');
  };
  if (job.error) return <Failure error={job.error} onRetry={() => void job.refetch()} />;
  if (job.data === undefined) return null;
  const progress = action === 'delete' ? texts.deleting : texts.reprocessing;
  const finished = job.data.done + job.data.failed;
  return (
    <Notice>
      <div className={styles.job}>
        <span>{progress(formats.number(finished), formats.number(job.data.total))}</span>
        <Button onPress={() => void stop()}>{texts.cancelJob}</Button>
      </div>
    </Notice>
  );
}

function useEnd(action: StartedJob['action'], onEnd: () => void) {
  const api = useApi();
  const texts = useMessages(SELECTION_MESSAGES);
  const { images } = useImageTexts();
  const invalidate = useInvalidate();
  const { done } = useChanges();
  const hasRun = useRef(false);
  return async (job: Job) => {
    if (hasRun.current) return;
    hasRun.current = true;
    const text = action === 'delete' ? texts.deleted : texts.reprocessed;
    // A job that was stopped has changed some images, which can be taken back, too. One whose results cannot be read has
    // its operations in the history.
    const operations = await operationsOf(api, job).catch(() => []);
    done(
      job.status === 'failed' ? texts.jobFailed(job.error ?? '') : text(images(job.done)),
      operations,
    );
    onEnd();
    await invalidate('countImages', 'listImageBuckets', 'getImage', 'listObjectClasses');
  };
}

/** The operations of a job. One that reprocesses single images records an operation for each of them. */
async function operationsOf(
  api: ReturnType<typeof useApi>,
  { id, operation_id: operationId, results_url: results }: Job,
): Promise<readonly number[]> {
  if (operationId !== null) return [operationId];
  if (results === null) return [];
  const body = await api.read('getJobResults', { path: { id } });
  if (body === undefined || body instanceof Blob || !('results' in body)) return [];
  return body.results.flatMap(({ operation_id: each }) => each ?? []);
}

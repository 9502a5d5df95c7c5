import { useEffect, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import { hasEnded, type Job, JOB_MS } from '../../jobs/job.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice, NoticeActions } from '../../ui/notice.tsx';
import styles from './models.module.css';
import { MODELS_MESSAGES } from './models-messages.ts';
import { addSample, rateOf, type Sample } from './transfer-rate.ts';

export interface ModelJobProps {
  readonly id: number;
  readonly name: string;
  /** Called once the job has succeeded. */
  readonly onDone: (job: Job) => void;
  readonly onClose: () => void;
}

/** Shows how far the download or the activation of a model is, and why it failed. */
export function ModelJob({ id, name, onDone, onClose }: ModelJobProps) {
  const texts = useMessages(MODELS_MESSAGES);
  const invalidate = useInvalidate();
  const job = useRead(
    'getJob',
    { path: { id } },
    { refetchInterval: ({ state }) => pollOf(state.data), staleTime: 0 },
  );
  const status = job.data?.status;
  useEffect(() => {
    if (job.data === undefined || !hasEnded(job.data)) return;
    void invalidate('listModels');
    if (status === 'done') onDone(job.data);
    // eslint-disable-next-line react-hooks/exhaustive-deps -- the end happens once, whatever is rendered then
  }, [status]);
  if (isProblem(job.error, 'not_found')) {
    return <Ended text={texts.foreignJob} onClose={onClose} />;
  }
  if (job.error) return <Failure error={job.error} onRetry={() => void job.refetch()} />;
  if (job.data === undefined || status === 'done') return null;
  if (status === 'failed') return <FailedJob job={job.data} name={name} onClose={onClose} />;
  return <Progress job={job.data} name={name} />;
}

function pollOf(job: Job | undefined): number | false {
  return job !== undefined && hasEnded(job) ? false : JOB_MS;
}

interface FailedJobProps {
  readonly job: Job;
  readonly name: string;
  readonly onClose: () => void;
}

function FailedJob({ job, name, onClose }: FailedJobProps) {
  const texts = useMessages(MODELS_MESSAGES);
  const isDownload = job.type === 'model_download';
  const text = isDownload ? texts.downloadFailed(name) : texts.jobFailed(name);
  const reason = job.error === 'cancelled' ? texts.cancelled : (job.error ?? '');
  return <Ended look="bad" text={`${text} ${reason}`} onClose={onClose} />;
}

interface EndedProps {
  readonly text: string;
  readonly look?: 'bad';
  readonly onClose: () => void;
}

function Ended({ text, look, onClose }: EndedProps) {
  const texts = useMessages(MODELS_MESSAGES);
  return (
    <Notice isAlert {...(look && { look })}>
      <p>{text}</p>
      <NoticeActions>
        <Button onPress={onClose}>{texts.close}</Button>
      </NoticeActions>
    </Notice>
  );
}

function Progress({ job, name }: { readonly job: Job; readonly name: string }) {
  const texts = useMessages(MODELS_MESSAGES);
  const formats = useFormats();
  const send = useSend();
  const invalidate = useInvalidate();
  const rate = useRate(job.done + job.failed);
  const isDownload = job.type === 'model_download';
  const amount = (value: number) => (isDownload ? formats.bytes(value) : formats.number(value));
  const finished = job.done + job.failed;
  const stop = async () => {
    await send('cancelJob', { path: { id: job.id } });
    await invalidate('getJob');
  };
  const title = isDownload ? texts.downloadingNow(name) : texts.activating(name);
  return (
    <Notice>
      <p role="status">{title}</p>
      <div className={styles.progress}>
        <progress
          aria-label={title}
          max={Math.max(job.total, 1)}
          {...(job.total > 0 && { value: finished })}
        />
        {job.total > 0 && <span>{texts.progress(amount(finished), amount(job.total))}</span>}
        {isDownload && rate !== null && <span>{texts.rate(formats.bytes(rate))}</span>}
        {rate !== null && rate > 0 && job.total > finished && (
          <span>{texts.timeLeft(formats.seconds((job.total - finished) / rate))}</span>
        )}
        <Button onPress={() => void stop()}>{texts.stop}</Button>
      </div>
    </Notice>
  );
}

/** The amount that is done per second, from the answers of the last seconds. */
function useRate(done: number): number | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  useEffect(() => {
    const take = () => setSamples((earlier) => addSample(earlier, { done, at: performance.now() }));
    take();
    const timer = setInterval(take, JOB_MS);
    return () => clearInterval(timer);
  }, [done]);
  return rateOf(samples);
}

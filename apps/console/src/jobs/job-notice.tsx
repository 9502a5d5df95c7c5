import { useEffect, useEffectEvent, useRef } from 'react';
import { useApi, useInvalidate, useRead } from '../client/api-context.tsx';
import { useSend } from '../client/use-send.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { useChanges } from '../undo/changes-context.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice, NoticeActions } from '../ui/notice.tsx';
import { hasEnded, type Job, JOB_MS } from './job.ts';
import { operationsOf } from './operations-of.ts';

const MESSAGES = defineMessages({
  en: {
    running: (done: string, total: string) => `${done} of ${total} faces`,
    stop: 'Stop',
    failed: (reason: string) => `The job ended early: ${reason}`,
  },
  de: {
    running: (done: string, total: string) => `${done} von ${total} Gesichtern`,
    stop: 'Abbrechen',
    failed: (reason: string) => `Der Auftrag wurde vorzeitig beendet: ${reason}`,
  },
});

export interface JobNoticeProps {
  readonly id: number;
  /** The text while the job runs, with the numbers of what is finished and of all; of faces if absent. */
  readonly running?: (finished: string, total: string) => string;
  /** The text of the bar at the end. */
  readonly done: (job: Job) => string;
  readonly onEnd: () => void;
}

/** Shows how far a job is. At its end the bar offers to take it back. */
export function JobNotice({ id, running, done, onEnd }: JobNoticeProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const send = useSend();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const job = useRead('getJob', { path: { id } }, { refetchInterval: JOB_MS, staleTime: 0 });
  const ended = job.data && hasEnded(job.data) ? job.data : undefined;
  const isFinished = useRef(false);
  const finish = useEffectEvent(async (last: Job) => {
    // One whose results cannot be read has its operations in the history.
    const operations = await operationsOf(api, last).catch(() => []);
    // A job that was stopped has changed some records, which can be taken back, too.
    changes.done(last.error === null ? done(last) : texts.failed(last.error), operations);
    onEnd();
  });
  useEffect(() => {
    if (ended === undefined || isFinished.current) return;
    isFinished.current = true;
    void finish(ended);
  }, [ended]);
  if (job.error) return <Failure error={job.error} onRetry={() => void job.refetch()} />;
  if (job.data === undefined) return null;
  const finished = job.data.done + job.data.failed;
  const stop = async () => {
    await send('cancelJob', { path: { id } });
    await invalidate('getJob');
  };
  return (
    <Notice>
      <span role="status">
        {(running ?? texts.running)(formats.number(finished), formats.number(job.data.total))}
      </span>
      <NoticeActions>
        <Button onPress={() => void stop()}>{texts.stop}</Button>
      </NoticeActions>
    </Notice>
  );
}

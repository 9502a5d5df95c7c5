import { useEffect, useRef } from 'react';
import { useInvalidate, useRead } from '../client/api-context.tsx';
import type { OperationBody } from '../client/operations.ts';
import { useSend } from '../client/use-send.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { useChanges } from '../undo/changes-context.tsx';
import { Button } from '../ui/button.tsx';
import { Failure } from '../ui/failure.tsx';
import { Notice, NoticeActions } from '../ui/notice.tsx';

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

type Job = OperationBody<'getJob'>;

export interface JobNoticeProps {
  readonly id: number;
  /** The text of the bar at the end. */
  readonly done: (job: Job) => string;
  readonly onEnd: () => void;
}

/** Shows how far a job about faces is. At its end the bar offers to take it back. */
export function JobNotice({ id, done, onEnd }: JobNoticeProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const send = useSend();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const job = useRead('getJob', { path: { id } }, { refetchInterval: 1_000, staleTime: 0 });
  const hasEnded = useRef(false);
  const ended = ['done', 'failed'].includes(job.data?.status ?? '') ? job.data : undefined;
  useEffect(() => {
    if (ended === undefined || hasEnded.current) return;
    hasEnded.current = true;
    const failure = ended.error;
    // A job that was stopped has decided about some faces, which can be taken back, too.
    changes.done(failure === null ? done(ended) : texts.failed(failure), ended.operation_id);
    onEnd();
  }, [ended, changes, done, onEnd, texts]);
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
        {texts.running(formats.number(finished), formats.number(job.data.total))}
      </span>
      <NoticeActions>
        <Button onPress={() => void stop()}>{texts.stop}</Button>
      </NoticeActions>
    </Notice>
  );
}

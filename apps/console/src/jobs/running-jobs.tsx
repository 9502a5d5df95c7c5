import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useApi, useInvalidate, useRead } from '../client/api-context.tsx';
import { isProblem, isTemporary } from '../client/api-error.ts';
import { useSend } from '../client/use-send.ts';
import { defineMessages } from '../messages/define-messages.ts';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { useUndoable } from '../undo/undo-context.tsx';
import { Button } from '../ui/button.tsx';
import { useDescribeError } from '../ui/failure.tsx';
import { Progress } from '../ui/progress.tsx';
import type { FollowedJob } from './followed-jobs.ts';
import { hasEnded, type Job, JOB_MS } from './job.ts';
import { useJobs, useRunningJobs } from './jobs-context.tsx';
import { operationsOf } from './operations-of.ts';
import styles from './running-jobs.module.css';
import { usePace } from './use-pace.ts';

const MESSAGES = defineMessages({
  en: {
    jobs: 'Running jobs',
    progress: (done: string, total: string) => `${done} of ${total}`,
    rate: (rate: string) => `${rate} per second`,
    timeLeft: (time: string) => `about ${time} left`,
    stop: 'Stop',
    stopOf: (title: string) => `Stop: ${title}`,
    notStopped: (reason: string) => `Not stopped: ${reason}`,
    stopped: (title: string) => `Stopped: ${title}`,
    failed: (title: string) => `Ended early: ${title}.`,
    someFailed: (text: string, count: string) => `${text}. Failed: ${count}`,
    lost: (title: string, reason: string) => `No longer followed: ${title}. ${reason}`,
  },
  de: {
    jobs: 'Laufende Aufträge',
    progress: (done: string, total: string) => `${done} von ${total}`,
    rate: (rate: string) => `${rate} pro Sekunde`,
    timeLeft: (time: string) => `noch etwa ${time}`,
    stop: 'Abbrechen',
    stopOf: (title: string) => `Abbrechen: ${title}`,
    notStopped: (reason: string) => `Nicht abgebrochen: ${reason}`,
    stopped: (title: string) => `Abgebrochen: ${title}`,
    failed: (title: string) => `Vorzeitig beendet: ${title}.`,
    someFailed: (text: string, count: string) => `${text}. Fehlgeschlagen: ${count}`,
    lost: (title: string, reason: string) => `Wird nicht mehr verfolgt: ${title}. ${reason}`,
  },
});

/** The jobs that the person has started, whichever page is open. */
export function RunningJobs({ environment }: { readonly environment: string }) {
  const texts = useMessages(MESSAGES);
  const jobs = useRunningJobs();
  if (jobs.length === 0) return null;
  return (
    <section data-jobs className={styles.jobs} aria-label={texts.jobs}>
      <ul className={styles.list}>
        {jobs.map((job) => (
          <RunningJob key={job.id} followed={job} environment={environment} />
        ))}
      </ul>
    </section>
  );
}

interface RunningJobProps {
  readonly followed: FollowedJob;
  readonly environment: string;
}

/** Shows how far a job is, and says at its end what became of it, with the way back. */
function RunningJob({ followed, environment }: RunningJobProps) {
  const texts = useMessages(MESSAGES);
  const { id, title } = followed;
  const job = useRead('getJob', { path: { id } }, { refetchInterval: JOB_MS, staleTime: 0 });
  useEnd(followed, job.data, job.error);
  const stop = useStop(id);
  return (
    <li className={styles.job}>
      <p role="status" className={styles.title}>
        <Link to="/$environment/jobs/$job" params={{ environment, job: String(id) }}>
          {title}
        </Link>
      </p>
      {job.data && <Pace title={title} job={job.data} at={job.dataUpdatedAt} />}
      <Button
        aria-label={texts.stopOf(title)}
        isBusy={stop.isPending}
        onPress={() => stop.mutate()}
      >
        {texts.stop}
      </Button>
    </li>
  );
}

interface PaceProps {
  readonly title: string;
  readonly job: Job;
  /** The time at which the job was read, in ms. */
  readonly at: number;
}

function Pace({ title, job, at }: PaceProps) {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const { rate, left } = usePace(job, at);
  const isBytes = job.unit === 'bytes';
  const amount = (value: number) => (isBytes ? formats.bytes(value) : formats.number(value));
  const finished = job.done + job.failed;
  return (
    <div>
      <Progress
        label={title}
        isLabelHidden
        value={finished}
        total={job.total}
        text={job.total === 0 ? '' : texts.progress(amount(finished), amount(job.total))}
      />
      <p className={styles.pace}>
        {isBytes && rate !== null && <span>{texts.rate(formats.bytes(rate))}</span>}
        {left !== null && job.total > 0 && (
          <span>{texts.timeLeft(formats.seconds(Math.ceil(left)))}</span>
        )}
      </p>
    </div>
  );
}

function useStop(id: number) {
  const texts = useMessages(MESSAGES);
  const describe = useDescribeError();
  const send = useSend();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  return useMutation({
    mutationFn: () => send('cancelJob', { path: { id } }),
    onError: (error) => {
      if (!isProblem(error, 'job_finished')) announce(texts.notStopped(describe(error)));
    },
    onSettled: () => invalidate('getJob', 'listJobs'),
  });
}

/** Calls once when the job has ended, or can no longer be read. */
function useEnd(followed: FollowedJob, job: Job | undefined, error: Error | null): void {
  const jobs = useJobs();
  const end = useEndOfJob();
  const hasCalled = useRef(false);
  const call = useEffectEvent((result: Job | Error) => {
    if (hasCalled.current) return;
    hasCalled.current = true;
    jobs.end(followed.id);
    void end(followed, result);
  });
  const ended = job && hasEnded(job) ? job : undefined;
  const lost = error !== null && isFinal(error) ? error : undefined;
  const result = ended ?? lost;
  useEffect(() => {
    if (result !== undefined) call(result);
  }, [result]);
}

/** Whether the job cannot be read later either. A session that has ended is renewed over the page. */
function isFinal(error: Error): boolean {
  return isProblem(error) && !isTemporary(error) && !isProblem(error, 'unauthenticated');
}

/** Returns the function that says how a job ended. */
function useEndOfJob() {
  const texts = useMessages(MESSAGES);
  const formats = useFormats();
  const describe = useDescribeError();
  const api = useApi();
  const { done, announce } = useUndoable();
  const textOf = (followed: FollowedJob, text: (job: Job) => string, job: Job) => {
    const { title, failed } = followed;
    if (job.error === 'cancelled') return texts.stopped(title);
    if (job.error !== null) return `${failed ?? texts.failed(title)} ${job.error}`;
    const success = text(job);
    return job.failed === 0 ? success : texts.someFailed(success, formats.number(job.failed));
  };
  return async (followed: FollowedJob, result: Job | Error): Promise<void> => {
    if (result instanceof Error) {
      followed.onLost?.(result);
      if (followed.done) announce(texts.lost(followed.title, describe(result)));
      return;
    }
    followed.onEnd?.(result);
    if (followed.done === undefined) return;
    // One whose results cannot be read has its operations in the history.
    const operations = await operationsOf(api, result).catch(() => []);
    const hasFailed = result.failed > 0 || (result.error !== null && result.error !== 'cancelled');
    // A job that was stopped has changed some records, which can be taken back, too.
    done(textOf(followed, followed.done, result), operations, hasFailed ? result.id : null);
  };
}

import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import { usePages } from '../../client/use-pages.ts';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { hasEnded, type Job, JOB_MS } from '../../jobs/job.ts';
import { EndedJobs } from './ended-jobs.tsx';
import { JobsFilters } from './jobs-filters.tsx';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { UnfinishedJobs } from './unfinished-jobs.tsx';
import { Transfer } from './transfer.tsx';
import { type JobActions, useJobActions } from './use-job-actions.ts';

const route = getRouteApi('/$environment/jobs');

/** How often the page looks for jobs that others have started, in ms. */
const IDLE_MS = 5_000;
/** An environment has at most 100 unfinished jobs. */
const MOST_UNFINISHED = 200;

/** All jobs of the environment, the unfinished ones first. */
export function JobsPage() {
  const texts = useMessages(JOBS_MESSAGES);
  const { environment } = route.useParams();
  const navigate = useNavigate();
  const [removed, setRemoved] = useState<Job | null>(null);
  const actions = useJobActions((id) => {
    const params = { environment, job: String(id) };
    void navigate({ to: '/$environment/jobs/$job', params });
  });
  return (
    <Page title={texts.title} actions={<Transfer />}>
      <div className={styles.body}>
        <JobsFilters />
        {actions.error && <Failure error={actions.error} />}
        <Lists actions={actions} onRemove={setRemoved} />
      </div>
      {removed && <RemoveDialog job={removed} onClose={() => setRemoved(null)} />}
    </Page>
  );
}

interface ListsProps {
  readonly actions: JobActions;
  readonly onRemove: (job: Job) => void;
}

function Lists({ actions, onRemove }: ListsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const { status, type } = route.useSearch();
  const unfinished = useUnfinished();
  const pages = usePages('listJobs', { query: { type, status } }, { firstPageMs: IDLE_MS });
  useReadEnded(unfinished.jobs);
  const error = unfinished.error ?? pages.error;
  if (error) {
    const retry = () => {
      unfinished.retry();
      if (pages.error) pages.retry();
    };
    return <Failure error={error} onRetry={retry} />;
  }
  if (pages.items === undefined || unfinished.jobs === undefined) return <Loading />;
  const ended = pages.items.filter(hasEnded);
  const count = ended.length + unfinished.jobs.length;
  return (
    <>
      {count === 0 && !pages.hasMore && <NoJobs />}
      <UnfinishedJobs jobs={unfinished.jobs} at={unfinished.at} actions={actions} />
      <EndedJobs jobs={ended} actions={actions} onRemove={onRemove} />
      {pages.hasMore && (
        <Button isDisabled={pages.isReadingMore} onPress={pages.readMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

/** The unfinished jobs that the filter admits, the newest first. */
function useUnfinished() {
  const { status, type } = route.useSearch();
  const query = (of: Job['status']) => ({ query: { type, status: of, limit: MOST_UNFINISHED } });
  const running = useRead('listJobs', query('running'), {
    refetchInterval: ({ state }) => (state.data?.items.length ? JOB_MS : IDLE_MS),
    enabled: status === undefined || status === 'running',
    staleTime: 0,
  });
  const pending = useRead('listJobs', query('pending'), {
    refetchInterval: ({ state }) => (state.data?.items.length ? JOB_MS : IDLE_MS),
    enabled: status === undefined || status === 'pending',
    staleTime: 0,
  });
  const isRead = [running, pending].every(
    ({ data, isEnabled }) => data !== undefined || !isEnabled,
  );
  const retry = () => {
    for (const each of [running, pending]) if (each.error) void each.refetch();
  };
  return {
    jobs: isRead
      ? distinct([running.data?.items ?? [], pending.data?.items ?? []].flat())
      : undefined,
    at: Math.max(running.dataUpdatedAt, pending.dataUpdatedAt),
    error: running.error ?? pending.error,
    retry,
  };
}

/** A job that begins between the two readings is in both. */
function distinct(jobs: readonly Job[]): Job[] {
  return [...new Map(jobs.map((job) => [job.id, job])).values()];
}

/** Reads the ended jobs again as soon as one of the unfinished ones is no longer among them. */
function useReadEnded(unfinished: readonly Job[] | undefined): void {
  const invalidate = useInvalidate();
  const ids = unfinished?.map(({ id }) => id).join() ?? '';
  useEffect(() => {
    void invalidate('listJobs');
    // oxlint-disable-next-line react/exhaustive-deps -- only another set of jobs is a reason
  }, [ids]);
}

function NoJobs() {
  const texts = useMessages(JOBS_MESSAGES);
  const { status, type } = route.useSearch();
  const { environment } = route.useParams();
  const navigate = route.useNavigate();
  if (status === undefined && type === undefined) {
    return (
      <Empty
        title={texts.emptyTitle}
        text={texts.emptyText}
        action={
          <Link
            to="/$environment/upload"
            params={{ environment }}
            className={buttonClass('primary')}
          >
            {texts.upload}
          </Link>
        }
      />
    );
  }
  return (
    <Empty
      title={texts.noneTitle}
      text={texts.noneText}
      action={<Button onPress={() => void navigate({ search: {} })}>{texts.clear}</Button>}
    />
  );
}

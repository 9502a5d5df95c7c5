import { useMutation } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { hasEnded, type Job, JOB_MS } from '../../jobs/job.ts';
import { canRetry } from './job.ts';
import { ImportResult } from './import-result.tsx';
import { JobItems } from './job-items.tsx';
import { JobProgress } from './job-progress.tsx';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { saveResults } from './save-results.ts';
import { useMayTransfer } from './transfer.tsx';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';
import { useJobActions } from './use-job-actions.ts';
import { useJobTexts } from './use-job-texts.ts';

const route = getRouteApi('/$environment/jobs/$job');

/** One job, with its items. */
export function JobPage() {
  const texts = useMessages(JOBS_MESSAGES);
  const { environment, job: id } = route.useParams();
  const { name } = useJobTexts();
  const job = useRead(
    'getJob',
    { path: { id: Number(id) } },
    {
      refetchInterval: ({ state }) => (state.data && !hasEnded(state.data) ? JOB_MS : false),
      staleTime: 0,
    },
  );
  const isMissing = isProblem(job.error, 'not_found');
  return (
    <Page
      title={job.data ? name(job.data) : `${texts.job} ${id}`}
      actions={
        <Link to="/$environment/jobs" params={{ environment }} className={buttonClass()}>
          {texts.allJobs}
        </Link>
      }
    >
      <div className={styles.body}>
        {job.isPending && <Loading />}
        {isMissing && <Empty title={texts.noLonger} text={texts.noLongerText} />}
        {job.error && !isMissing && (
          <Failure error={job.error} onRetry={() => void job.refetch()} />
        )}
        {job.data && !isMissing && (
          <>
            <JobFacts job={job.data} at={job.dataUpdatedAt} />
            {job.data.type === 'import' && job.data.results_url !== null && (
              <ImportResult job={job.data} />
            )}
            <JobItems key={id} job={job.data} />
          </>
        )}
      </div>
    </Page>
  );
}

interface JobFactsProps {
  readonly job: Job;
  /** The time at which the job was read, in ms. */
  readonly at: number;
}

function JobFacts({ job, at }: JobFactsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  const { sum, error } = useJobTexts();
  return (
    <>
      {job.error !== null && (
        <Notice look="bad">
          {texts.error}: {error(job.error)}
        </Notice>
      )}
      {hasEnded(job) ? (
        <p className={styles.sum}>
          {texts[job.status]}: {sum(job)}
        </p>
      ) : (
        <JobProgress key={job.id} job={job} at={at} />
      )}
      <dl className={styles.facts}>
        <dt>{texts.created}</dt>
        <dd>{formats.dateTime(job.created_at)}</dd>
        {job.finished_at !== null && (
          <>
            <dt>{texts.finished}</dt>
            <dd>{formats.dateTime(job.finished_at)}</dd>
          </>
        )}
      </dl>
      <Actions job={job} />
    </>
  );
}

function Actions({ job }: Pick<JobFactsProps, 'job'>) {
  const texts = useMessages(JOBS_MESSAGES);
  const { environment } = route.useParams();
  const navigate = useNavigate();
  const [isRemoving, setRemoving] = useState(false);
  const actions = useJobActions((id) => {
    const params = { environment, job: String(id) };
    void navigate({ to: '/$environment/jobs/$job', params });
  });
  const save = useSave(job);
  const failure = actions.error ?? save.error;
  return (
    <>
      {failure && <Failure error={failure} />}
      <div className={styles.actions}>
        {!hasEnded(job) && <Button onPress={() => actions.cancel(job)}>{texts.cancel}</Button>}
        <SaveButton job={job} isBusy={save.isPending} onPress={() => save.mutate()} />
        {canRetry(job) && (
          <Button isBusy={actions.isPending} onPress={() => actions.retry(job)}>
            {texts.retry}
          </Button>
        )}
        {hasEnded(job) && <Button onPress={() => setRemoving(true)}>{texts.remove}</Button>}
      </div>
      {isRemoving && (
        <RemoveDialog
          job={job}
          onClose={() => setRemoving(false)}
          onRemoved={() => void navigate({ to: '/$environment/jobs', params: { environment } })}
        />
      )}
    </>
  );
}

interface SaveButtonProps {
  readonly job: Job;
  readonly isBusy: boolean;
  readonly onPress: () => void;
}

/** The way to the results. Those of an export are an archive, which only some roles may read. */
function SaveButton({ job: { type, results_url: results }, isBusy, onPress }: SaveButtonProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const transfer = useMessages(TRANSFER_MESSAGES);
  const may = useMayTransfer();
  if (results === null) return null;
  const isArchive = type === 'export';
  if (isArchive && may === false) return <p className={styles.quiet}>{transfer.roleNeeded}</p>;
  return (
    <Button isBusy={isBusy} onPress={onPress} {...(isArchive && { look: 'primary' })}>
      {isArchive ? transfer.downloadArchive : texts.download}
    </Button>
  );
}

/** A link cannot name the environment, so the results are read before they are saved. */
function useSave({ id, type }: Job) {
  const api = useApi();
  return useMutation({
    mutationFn: async () => {
      const results = await api.read('getJobResults', { path: { id } });
      saveResults(results, `sightline-${type}-${id}`);
    },
  });
}

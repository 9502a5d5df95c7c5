import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import type { Job } from '../../jobs/job.ts';
import { Panel } from '../../ui/panel.tsx';
import { canRetry } from './job.ts';
import { JobLink } from './job-link.tsx';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import type { JobActions } from './use-job-actions.ts';
import { useJobTexts } from './use-job-texts.ts';

export interface EndedJobsProps {
  readonly jobs: readonly Job[];
  readonly actions: JobActions;
  readonly onRemove: (job: Job) => void;
}

export function EndedJobs({ jobs, actions, onRemove }: EndedJobsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  const { sum, error } = useJobTexts();
  if (jobs.length === 0) return null;
  return (
    <Panel title={texts.ended}>
      <Table
        label={texts.ended}
        columns={[texts.job, texts.state, texts.result, texts.finished, texts.actions]}
      >
        {jobs.map((job) => (
          <tr key={job.id}>
            <th scope="row">
              <JobLink job={job} />
            </th>
            <td>
              {texts[job.status]}
              {job.error !== null && <p className={styles.reason}>{error(job.error)}</p>}
            </td>
            <td>{sum(job)}</td>
            <td>{job.finished_at !== null && formats.dateTime(job.finished_at)}</td>
            <td>
              <RowActions job={job} actions={actions} onRemove={onRemove} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

interface RowActionsProps extends Omit<EndedJobsProps, 'jobs'> {
  readonly job: Job;
}

function RowActions({ job, actions, onRemove }: RowActionsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const { name } = useJobTexts();
  return (
    <div className={styles.actions}>
      {canRetry(job) && (
        <Button
          aria-label={texts.retryOf(name(job))}
          isBusy={actions.isPending}
          onPress={() => actions.retry(job)}
        >
          {texts.retry}
        </Button>
      )}
      <Button aria-label={texts.removeOf(name(job))} onPress={() => onRemove(job)}>
        {texts.remove}
      </Button>
    </div>
  );
}

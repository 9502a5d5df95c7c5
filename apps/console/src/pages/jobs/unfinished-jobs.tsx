import { useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import type { Job } from '../../jobs/job.ts';
import { Panel } from '../../ui/panel.tsx';
import { JobLink } from './job-link.tsx';
import { JobProgress } from './job-progress.tsx';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import type { JobActions } from './use-job-actions.ts';
import { useJobTexts } from './use-job-texts.ts';

export interface UnfinishedJobsProps {
  readonly jobs: readonly Job[];
  /** The time at which the jobs were read, in ms. */
  readonly at: number;
  readonly actions: JobActions;
}

export function UnfinishedJobs({ jobs, at, actions }: UnfinishedJobsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const { name } = useJobTexts();
  if (jobs.length === 0) return null;
  return (
    <Panel title={texts.unfinished}>
      <ul className={styles.cards}>
        {jobs.map((job) => (
          <li key={job.id} className={styles.card}>
            <JobLink job={job} />
            <JobProgress job={job} at={at} />
            <Button aria-label={texts.cancelOf(name(job))} onPress={() => actions.cancel(job)}>
              {texts.cancel}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Progress } from '../../ui/progress.tsx';
import type { Job } from '../../jobs/job.ts';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import { useJobTexts } from './use-job-texts.ts';
import { usePace } from '../../jobs/use-pace.ts';

export interface JobProgressProps {
  readonly job: Job;
  /** The time at which the job was read, in ms. */
  readonly at: number;
}

/** How far an unfinished job is, how fast it goes, and when it will end. */
export function JobProgress({ job, at }: JobProgressProps) {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  const { name, progress, partSum, rate: rateText } = useJobTexts();
  const { rate, left } = usePace(job, at);
  return (
    <div className={styles.progress}>
      <Progress
        label={name(job)}
        isLabelHidden
        value={job.done + job.failed}
        total={job.total}
        text={progress(job)}
      />
      <p className={styles.quiet}>
        {[
          texts[job.status],
          job.failed > 0 && partSum(job),
          rate !== null && rateText(job.unit, rate),
          left !== null && texts.timeLeft(formats.seconds(Math.ceil(left))),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
    </div>
  );
}

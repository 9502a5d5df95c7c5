import type { Job } from '../../jobs/job.ts';
import { Link, useParams } from '@tanstack/react-router';
import { useJobTexts } from './use-job-texts.ts';

export function JobLink({ job }: { readonly job: Job }) {
  const { environment } = useParams({ from: '/$environment' });
  const { name } = useJobTexts();
  return (
    <Link to="/$environment/jobs/$job" params={{ environment, job: String(job.id) }}>
      {name(job)}
    </Link>
  );
}

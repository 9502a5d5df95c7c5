import { Link, useParams } from '@tanstack/react-router';
import type { Job } from './job.ts';
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

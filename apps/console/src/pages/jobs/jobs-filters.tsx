import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../messages/locale-context.tsx';
import { ChoiceFilters } from '../../ui/filters.tsx';
import { JOB_STATUSES, JOB_TYPES } from './job.ts';
import { JOBS_MESSAGES } from './jobs-messages.ts';

const route = getRouteApi('/$environment/jobs');

/** The state and the kind of the jobs that are listed. */
export function JobsFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ChoiceFilters
      choices={{ status: JOB_STATUSES, type: JOB_TYPES }}
      texts={useMessages(JOBS_MESSAGES)}
      search={search}
      onChange={(changed) => void navigate({ search: changed, replace: true })}
    />
  );
}

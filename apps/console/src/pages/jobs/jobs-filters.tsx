import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../messages/locale-context.tsx';
import { type Chip, Chips } from '../../ui/chips.tsx';
import { Select } from '../../ui/select.tsx';
import { JOB_STATUSES, JOB_TYPES } from './job.ts';
import styles from './jobs.module.css';
import { JOBS_MESSAGES } from './jobs-messages.ts';
import type { JobsSearch } from './jobs-search.ts';

const route = getRouteApi('/$environment/jobs');

/** The filters of the list, with a chip for each one in force. */
export function JobsFilters() {
  const texts = useMessages(JOBS_MESSAGES);
  const { status, type } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: JobsSearch) =>
    void navigate({ search: { status, type, ...changed }, replace: true });
  const any = { value: 'any', text: texts.any } as const;
  const chips: Chip[] = (['status', 'type'] as const).flatMap((name) => {
    const value = name === 'status' ? status : type;
    if (value === undefined) return [];
    const removeText = texts.removeFilter(texts[value]);
    const onRemove = () => change({ [name]: undefined });
    return [{ key: name, text: texts[value], removeText, onRemove }];
  });
  return (
    <div className={styles.filters}>
      <Select
        label={texts.status}
        options={[any, ...JOB_STATUSES.map((value) => ({ value, text: texts[value] }))]}
        value={status ?? 'any'}
        onChange={(value) => change({ status: value === 'any' ? undefined : value })}
      />
      <Select
        label={texts.type}
        options={[any, ...JOB_TYPES.map((value) => ({ value, text: texts[value] }))]}
        value={type ?? 'any'}
        onChange={(value) => change({ type: value === 'any' ? undefined : value })}
      />
      {chips.length > 0 && <Chips label={texts.filters} chips={chips} />}
    </div>
  );
}

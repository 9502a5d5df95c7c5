import { useQueries } from '@tanstack/react-query';
import { useApi } from '../../client/api-context.tsx';
import { queryKey } from '../../client/query-key.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { type ActiveFilter, ActiveFilters } from '../../ui/filters.tsx';
import { IMAGES_MESSAGES } from './images-messages.ts';
import { DAYS, FLAGS, type ImagesSearch } from './images-search.ts';

export interface FilterChipsProps {
  readonly search: ImagesSearch;
  /** Called with the parameters that change. */
  readonly onChange: (change: ImagesSearch) => void;
}

/** Shows each condition with a button that removes it. */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  const texts = useMessages(IMAGES_MESSAGES);
  const people = search.identity_id ?? [];
  const without = search.without_identity_id;
  const labels = useLabels([...people, ...(without === undefined ? [] : [without])]);
  const chipOf = (key: string, text: string, change: ImagesSearch): ActiveFilter => ({
    key,
    text,
    onRemove: () => onChange(change),
  });
  const filters = [
    ...people.map((id) => {
      const rest = people.filter((each) => each !== id);
      const change = { identity_id: rest.length > 0 ? rest : undefined };
      return chipOf(`with ${id}`, texts.valueOf(texts.withPerson, labels.get(id)!), change);
    }),
    ...useValueTexts(search, labels).map(({ name, text }) =>
      chipOf(name, text, { [name]: undefined }),
    ),
  ];
  return <ActiveFilters filters={filters} />;
}

/** The texts of the conditions that have one value. */
function useValueTexts(search: ImagesSearch, labels: ReadonlyMap<number, string>) {
  const texts = useMessages(IMAGES_MESSAGES);
  const formats = useFormats();
  const { type, review_status: status, without_identity_id: without } = search;
  const entries: (readonly [keyof ImagesSearch, string, string | undefined])[] = [
    ['without_identity_id', texts.withoutPerson, labels.get(without ?? 0)],
    ['type', texts.type, type && texts[type]],
    ['class_name', texts.class_name, search.class_name],
    ['review_status', texts.review_status, status && texts[status]],
    ['external_ref', texts.external_ref, search.external_ref],
    ...DAYS.map((day) => {
      const value = search[day];
      return [day, texts[day], value && formats.date(`${value}T00:00`)] as const;
    }),
  ];
  return [
    ...entries.flatMap(([name, title, value]) =>
      value === undefined ? [] : [{ name, text: texts.valueOf(title, value) }],
    ),
    ...FLAGS.filter((flag) => search[flag]).map((name) => ({ name, text: texts[name] })),
  ];
}

/** The labels of identities; their numbers until they have been read, or if they were deleted. */
function useLabels(ids: readonly number[]): ReadonlyMap<number, string> {
  const api = useApi();
  const texts = useMessages(IMAGES_MESSAGES);
  const answers = useQueries({
    queries: ids.map((id) => ({
      queryKey: queryKey(api, 'getIdentity', { path: { id } }),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        api.read('getIdentity', { path: { id }, signal }),
      staleTime: 60_000,
    })),
  });
  return new Map(
    ids.map((id, at) => [id, answers[at]?.data?.label ?? texts.personNumber(String(id))]),
  );
}

import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../messages/locale-context.tsx';
import { type Chip, Chips } from '../../ui/chips.tsx';
import { Select } from '../../ui/select.tsx';
import { CHANGES_MESSAGES } from './changes-messages.ts';
import styles from './changes.module.css';
import { ACTIONS, type ChangesSearch, ENTITIES } from './changes-search.ts';

const route = getRouteApi('/$environment/changes');

/** The kinds of changes that are shown, with a chip for each filter in force. */
export function ChangesFilters() {
  const texts = useMessages(CHANGES_MESSAGES);
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: ChangesSearch) =>
    void navigate({ search: { ...search, ...changed }, replace: true });
  const any = { value: 'any', text: texts.any } as const;
  const chips: Chip[] = (['entity', 'action'] as const).flatMap((name) => {
    const value = search[name];
    if (value === undefined) return [];
    const removeText = texts.removeFilter(texts[value]);
    const onRemove = () => change({ [name]: undefined });
    return [{ key: name, text: texts[value], removeText, onRemove }];
  });
  return (
    <div className={styles.filters}>
      <Select
        label={texts.entity}
        options={[any, ...ENTITIES.map((value) => ({ value, text: texts[value] }))]}
        value={search.entity ?? 'any'}
        onChange={(value) => change({ entity: value === 'any' ? undefined : value })}
      />
      <Select
        label={texts.action}
        options={[any, ...ACTIONS.map((value) => ({ value, text: texts[value] }))]}
        value={search.action ?? 'any'}
        onChange={(value) => change({ action: value === 'any' ? undefined : value })}
      />
      {chips.length > 0 && <Chips label={texts.filters} chips={chips} />}
    </div>
  );
}

import { type SyntheticEvent, useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { useRights } from '../../session/use-rights.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { Select } from '../../ui/select.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { AUDIT_MESSAGES } from './audit-messages.ts';
import { type AuditSearch, SCOPES } from './audit-search.ts';
import styles from './audit.module.css';
import { useAuditTexts } from './use-audit-texts.ts';

const ANY = '';

export interface AuditFiltersProps {
  readonly search: AuditSearch;
  readonly onChange: (change: Partial<AuditSearch>) => void;
}

/** The choices at once, and texts with the key Enter. */
export function AuditFilters({ search, onChange }: AuditFiltersProps) {
  const texts = useMessages(AUDIT_MESSAGES);
  const { isAdministrator } = useRights();
  const { people, entityKinds, entityName, actionKinds, actionName } = useAuditTexts();
  const orNone = (value: string) => (value === ANY ? undefined : value);
  return (
    <FilterBar>
      {isAdministrator && (
        <Select
          label={texts.scope}
          value={search.scope ?? 'environment'}
          onChange={(scope) => onChange({ scope })}
          options={SCOPES.map((scope) => ({ value: scope, text: texts[scope] }))}
        />
      )}
      <Select
        label={texts.what}
        value={search.kind ?? ANY}
        onChange={(kind) => onChange({ kind: orNone(kind) })}
        options={[
          { value: ANY, text: texts.anything },
          ...entityKinds.map((kind) => ({ value: kind, text: entityName(kind) })),
        ]}
      />
      <Select
        label={texts.action}
        value={search.action ?? ANY}
        onChange={(action) => onChange({ action: orNone(action) })}
        options={[
          { value: ANY, text: texts.anyAction },
          ...actionKinds.map((action) => ({ value: action, text: actionName(action) })),
        ]}
      />
      <Select
        label={texts.person}
        value={search.person ?? ANY}
        onChange={(person) => onChange({ person: orNone(person) })}
        options={[
          { value: ANY, text: texts.anyone },
          ...people.map(({ id, name }) => ({ value: id, text: name })),
        ]}
      />
      <TextInput
        label={texts.since}
        type="date"
        value={search.since ?? ''}
        onChange={(since) => onChange({ since: orNone(since) })}
      />
      <TextInput
        label={texts.until}
        type="date"
        value={search.until ?? ''}
        onChange={(until) => onChange({ until: orNone(until) })}
      />
      <NumberFilters
        key={`${String(search.key)} ${String(search.entity)}`}
        search={search}
        onChange={onChange}
      />
    </FilterBar>
  );
}

/** The numbers of keys and entities, which only whole texts find. */
function NumberFilters({ search, onChange }: AuditFiltersProps) {
  const texts = useMessages(AUDIT_MESSAGES);
  const [key, setKey] = useState(String(search.key ?? ''));
  const [entity, setEntity] = useState(search.entity ?? '');
  const isWrong = key.trim() !== '' && !/^[1-9]\d{0,14}$/.test(key.trim());
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (isWrong) return;
    onChange({
      key: key.trim() === '' ? undefined : Number(key),
      entity: entity.trim() === '' ? undefined : entity.trim(),
    });
  };
  return (
    <form className={styles.numbers} onSubmit={submit}>
      <TextInput
        label={texts.key}
        inputMode="numeric"
        value={key}
        onChange={setKey}
        error={isWrong ? texts.wrongKey : null}
      />
      <TextInput label={texts.entity} value={entity} onChange={setEntity} />
      <Button type="submit">{texts.apply}</Button>
    </form>
  );
}

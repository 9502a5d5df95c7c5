import { getRouteApi } from '@tanstack/react-router';
import { SearchField, Input, Label } from 'react-aria-components';
import { useMessages } from '../../messages/locale-context.tsx';
import { FilterBar } from '../../ui/filters.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import inputStyles from '../../ui/text-input.module.css';
import { joinClasses } from '../../ui/join-classes.ts';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import type { PeopleSearch, PeopleSort } from './people-search.ts';
import styles from './people.module.css';

const route = getRouteApi('/$environment/people');

/** The name that is searched for, the order, and whether faces have to wait. */
export function PeopleFilters() {
  const texts = useMessages(PEOPLE_MESSAGES);
  const { q, sort, waiting } = route.useSearch();
  const navigate = route.useNavigate();
  const change = (changed: PeopleSearch) =>
    void navigate({ search: (before) => ({ ...before, ...changed }), replace: true });
  return (
    <FilterBar>
      <SearchField
        className={joinClasses(inputStyles.field, styles.search)}
        value={q ?? ''}
        onChange={(text) => change({ q: text === '' ? undefined : text })}
      >
        <Label className={inputStyles.label}>{texts.search}</Label>
        <Input className={inputStyles.input} dir="auto" />
      </SearchField>
      <Select<PeopleSort>
        label={texts.sort}
        value={sort ?? 'label'}
        onChange={(chosen) => change({ sort: chosen === 'label' ? undefined : chosen })}
        options={[
          { value: 'label', text: texts.sortLabel },
          { value: 'detections', text: texts.sortDetections },
          { value: 'newest', text: texts.sortNewest },
          { value: 'last_seen', text: texts.sortSeen },
        ]}
      />
      <Switch
        label={texts.waiting}
        isOn={waiting === true}
        onChange={(isOn) => change({ waiting: isOn ? true : undefined })}
      />
    </FilterBar>
  );
}

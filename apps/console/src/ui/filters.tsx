import type { ReactNode } from 'react';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { type Chip, Chips } from './chips.tsx';
import styles from './filters.module.css';
import { Select } from './select.tsx';

const MESSAGES = defineMessages({
  en: {
    any: 'All',
    filters: 'Filters',
    removeFilter: (name: string) => `Remove filter: ${name}`,
  },
  de: {
    any: 'Alle',
    filters: 'Filter',
    removeFilter: (name: string) => `Filter entfernen: ${name}`,
  },
});

/** The fields above a list that narrow it. */
export function FilterBar({ children }: { readonly children: ReactNode }) {
  return <div className={styles.bar}>{children}</div>;
}

export type ActiveFilter = Omit<Chip, 'removeText'>;

/** The filters in force, each of which a press removes. */
export function ActiveFilters({ filters }: { readonly filters: readonly ActiveFilter[] }) {
  const texts = useMessages(MESSAGES);
  if (filters.length === 0) return null;
  const chips = filters.map((filter) => ({
    ...filter,
    removeText: texts.removeFilter(filter.text),
  }));
  return <Chips label={texts.filters} chips={chips} />;
}

type Value<Search> = NonNullable<Search[keyof Search]> & string;

export interface ChoiceFiltersProps<Search> {
  /** The values of each filter. */
  readonly choices: { readonly [Name in keyof Search]-?: readonly NonNullable<Search[Name]>[] };
  /** The names of the filters and of their values. */
  readonly texts: Readonly<Record<(keyof Search & string) | Value<Search>, string>>;
  readonly search: Search;
  readonly onChange: (search: Search) => void;
}

/** A select for each filter, and a chip for each one in force. */
export function ChoiceFilters<Search extends { readonly [Name in keyof Search]?: string }>({
  choices,
  texts,
  search,
  onChange,
}: ChoiceFiltersProps<Search>) {
  const { any } = useMessages(MESSAGES);
  const names = Object.keys(choices) as (keyof Search & string)[];
  const valueOf = (name: keyof Search) => search[name] as Value<Search> | undefined;
  const change = (name: keyof Search, value?: string) => onChange({ ...search, [name]: value });
  return (
    <FilterBar>
      {names.map((name) => (
        <Select
          key={name}
          label={texts[name]}
          options={[
            { value: 'any', text: any },
            ...(choices[name] as readonly Value<Search>[]).map((value) => ({
              value,
              text: texts[value],
            })),
          ]}
          value={valueOf(name) ?? 'any'}
          onChange={(value) => change(name, value === 'any' ? undefined : value)}
        />
      ))}
      <ActiveFilters
        filters={names.flatMap((name) => {
          const value = valueOf(name);
          if (value === undefined) return [];
          return [{ key: name, text: texts[value], onRemove: () => change(name) }];
        })}
      />
    </FilterBar>
  );
}

import { useMemo, useState } from 'react';
import type { GridSelection } from '../../lists/grid-selection.ts';
import type { PagedRows } from '../../lists/paged-rows.ts';
import type { Person } from './people-list.ts';

/** The selected people. They stay selected in another search, because the names of one person may differ. */
export function useChosenPeople(rows: PagedRows<Person>) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, Person>>(new Map());
  const selection = useMemo(
    (): GridSelection => ({ kind: 'some', ids: new Set(chosen.keys()) }),
    [chosen],
  );
  const atHand = () => new Map(rows.rowsAtHand().map((person) => [person.id, person]));
  return {
    count: chosen.size,
    selection,
    select: (next: GridSelection) => {
      if (next.kind === 'all') return;
      const known = new Map([...chosen, ...atHand()]);
      setChosen(new Map([...known].filter(([id]) => next.ids.has(id))));
    },
    clear: () => setChosen(new Map()),
    remove: (ids: ReadonlySet<number>) =>
      setChosen((before) => new Map([...before].filter(([id]) => !ids.has(id)))),
    /** Returns the people as they were read last. */
    people: (): Person[] => {
      const latest = atHand();
      return [...chosen.values()].map((person) => latest.get(person.id) ?? person);
    },
  };
}

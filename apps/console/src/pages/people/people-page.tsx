import { getRouteApi, useLocation, useNavigate } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useRailText } from '../../lists/use-rail-text.ts';
import { WindowedGrid } from '../../lists/windowed-grid.tsx';
import { NewRows } from '../../live/new-rows.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { PeopleActions } from './people-actions.tsx';
import { PeopleFilters } from './people-filters.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { type PeopleTask, PeopleTaskDialog } from './people-tasks.tsx';
import type { Person } from './people-list.ts';
import { PERSON_MEASURE, renderPerson } from './person-tile.tsx';
import { useChosenPeople } from './use-chosen-people.ts';
import { usePeopleList } from './use-people-list.ts';

const route = getRouteApi('/$environment/people');

/** Everybody who is known, in the chosen order. */
export function PeoplePage() {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const search = route.useSearch();
  const list = usePeopleList(search);
  const chosen = useChosenPeople(list.rows);
  const invalidate = useInvalidate();
  const [task, setTask] = useState<PeopleTask | null>(null);
  const { total, count, current } = list;
  const removed = (ids: ReadonlySet<number>) => {
    list.rows.remove(ids);
    chosen.remove(ids);
  };
  const done = () => {
    setTask(null);
    chosen.clear();
  };
  return (
    <Page
      title={texts.title}
      count={total === undefined ? undefined : formats.number(total)}
      isFilled
      actions={
        <>
          <NewRows
            shown={total}
            current={count.isFetching ? undefined : current.data?.total}
            onShow={() => void invalidate('listIdentitySummaries', 'listIdentityBuckets')}
          />
          <Button onPress={() => setTask({ kind: 'add' })}>
            <Icon name="plus" />
            {texts.add}
          </Button>
        </>
      }
    >
      <PeopleFilters />
      <Content key={JSON.stringify(search)} list={list} chosen={chosen} />
      <PeopleActions
        count={chosen.count}
        onTask={(kind) => setTask({ kind, people: chosen.people() })}
        onClear={chosen.clear}
      />
      <PeopleTaskDialog
        task={task}
        onRemoved={removed}
        onDone={done}
        onClose={() => setTask(null)}
      />
    </Page>
  );
}

interface ContentProps {
  readonly list: ReturnType<typeof usePeopleList>;
  readonly chosen: ReturnType<typeof useChosenPeople>;
}

function Content({ list, chosen }: ContentProps) {
  const { q, waiting } = route.useSearch();
  const { count, buckets, isLong, total } = list;
  const missing = [count, ...(isLong ? [buckets] : [])].find(({ data }) => data === undefined);
  if (missing?.error)
    return <Failure error={missing.error} onRetry={() => void missing.refetch()} />;
  if (missing !== undefined) return <Loading />;
  if (total === 0) return <NoPeople isFiltered={q !== undefined || waiting === true} />;
  return <PeopleGrid list={list} chosen={chosen} />;
}

function PeopleGrid({ list, chosen }: ContentProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const { announce } = useUndoable();
  const { environment } = route.useParams();
  const { sort } = route.useSearch();
  const navigate = useNavigate();
  const historyEntry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const hrefOf = useCallback(
    ({ id }: Person) => `/console/${environment}/people/${id}`,
    [environment],
  );
  const isByName = sort === undefined || sort === 'label';
  return (
    <WindowedGrid
      label={texts.title}
      rows={list.rows}
      measure={PERSON_MEASURE}
      renderCell={renderPerson}
      hrefOf={hrefOf}
      historyEntry={historyEntry}
      railText={useRailText(list.buckets.data?.items ?? [], isByName)}
      onOpen={({ id }) =>
        void navigate({
          to: '/$environment/people/$person',
          params: { environment, person: String(id) },
        })
      }
      selecting={{
        selection: chosen.selection,
        onChange: chosen.select,
        onLongRange: (most) => announce(texts.longRange(formats.number(most))),
        isByIds: true,
      }}
    />
  );
}

function NoPeople({ isFiltered }: { readonly isFiltered: boolean }) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const navigate = route.useNavigate();
  if (!isFiltered) return <Empty title={texts.emptyTitle} text={texts.emptyText} />;
  return (
    <Empty
      title={texts.noneTitle}
      text={texts.noneText}
      action={
        <Button onPress={() => void navigate({ search: { q: undefined, waiting: undefined } })}>
          {texts.clear}
        </Button>
      }
    />
  );
}

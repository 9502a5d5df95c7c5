import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import type { OperationArguments } from '../../client/operations.ts';
import { type Pages, usePages } from '../../client/use-pages.ts';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { NewRows } from '../../live/new-rows.tsx';
import { useLiveRead } from '../../live/use-live-read.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Tiles } from '../../tiles/tiles.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { DeletePeopleDialog } from './delete-people-dialog.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { NameDialog } from './name-dialog.tsx';
import { PeopleFilters } from './people-filters.tsx';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import { PEOPLE_READS } from './people-reads.ts';
import styles from './people.module.css';
import { type Person, PersonTile } from './person-tile.tsx';
import { RenameDialog } from './rename-dialog.tsx';

const route = getRouteApi('/$environment/people');

/** How many people can be merged at a time. */
const MOST_MERGED = 20;

type Task = 'add' | 'rename' | 'merge' | 'delete';

/** Everybody who is known, in the chosen order. */
export function PeoplePage() {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const { q, sort, waiting } = route.useSearch();
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set());
  const [task, setTask] = useState<Task | null>(null);
  const query = { type: 'face', q, sort, has_pending: waiting } as const;
  const pages = usePages('listIdentitySummaries', { query });
  const people = pages.items ?? [];
  const chosen = people.filter(({ id }) => selected.has(id));
  const finish = (isDone: boolean) => {
    setTask(null);
    if (isDone) setSelected(new Set());
  };
  return (
    <Page
      title={texts.title}
      count={pages.first && formats.number(pages.first.total)}
      actions={
        <>
          <NewPeople query={query} shown={pages.isReading ? undefined : pages.first?.total} />
          <Button onPress={() => setTask('add')}>
            <Icon name="plus" />
            {texts.add}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <PeopleFilters />
        <SelectionActions people={chosen} onTask={setTask} />
        <PeopleList
          pages={pages}
          isFiltered={q !== undefined || waiting === true}
          selected={selected}
          onSelect={setSelected}
        />
      </div>
      <TaskDialog task={task} people={chosen} onClose={finish} />
    </Page>
  );
}

interface PeopleListProps {
  readonly pages: Pages<'listIdentitySummaries'>;
  readonly isFiltered: boolean;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (selected: ReadonlySet<number>) => void;
}

function PeopleList({ pages, isFiltered, selected, onSelect }: PeopleListProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const { environment } = route.useParams();
  const navigate = useNavigate();
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (pages.items === undefined) return <Loading />;
  if (pages.items.length === 0) return <NoPeople isFiltered={isFiltered} />;
  return (
    <Tiles
      label={texts.title}
      tiles={pages.items.map((person) => ({
        id: person.id,
        text: person.label,
        content: <PersonTile person={person} />,
      }))}
      selected={selected}
      onSelect={onSelect}
      onOpen={(id) =>
        void navigate({
          to: '/$environment/people/$person',
          params: { environment, person: String(id) },
        })
      }
      more={pages}
    />
  );
}

type PeopleQuery = NonNullable<
  NonNullable<OperationArguments<'listIdentitySummaries'>[0]>['query']
>;

interface NewPeopleProps {
  readonly query: PeopleQuery;
  readonly shown: number | undefined;
}

/** Says how many people were added or removed by others. */
function NewPeople({ query, shown }: NewPeopleProps) {
  const current = useLiveRead('listIdentitySummaries', { query: { ...query, limit: 1 } });
  const invalidate = useInvalidate();
  return (
    <NewRows
      shown={shown}
      current={current.data?.total}
      onShow={() => void invalidate('listIdentitySummaries')}
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

interface SelectionActionsProps {
  readonly people: readonly Person[];
  readonly onTask: (task: Task) => void;
}

function SelectionActions({ people, onTask }: SelectionActionsProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const count = people.length;
  const canMerge = count >= 2 && count <= MOST_MERGED;
  useCommands([
    {
      id: 'people.rename',
      label: texts.rename,
      keys: ['F2'],
      run: () => onTask('rename'),
      isDisabled: count !== 1,
    },
    {
      id: 'people.merge',
      label: texts.merge,
      keys: ['M'],
      run: () => onTask('merge'),
      isDisabled: !canMerge,
    },
    {
      id: 'people.delete',
      label: texts.delete,
      keys: ['Delete'],
      run: () => onTask('delete'),
      isDisabled: count === 0,
    },
  ]);
  if (count === 0) return null;
  return (
    <div className={styles.selection}>
      <span className={styles.count}>{texts.selected(formats.number(count))}</span>
      <Button shortcut="F2" isDisabled={count !== 1} onPress={() => onTask('rename')}>
        {texts.rename}
      </Button>
      <Button shortcut="M" isDisabled={!canMerge} onPress={() => onTask('merge')}>
        {texts.merge}
      </Button>
      <Button shortcut="Del" onPress={() => onTask('delete')}>
        {texts.delete}
      </Button>
    </div>
  );
}

interface TaskDialogProps {
  readonly task: Task | null;
  readonly people: readonly Person[];
  readonly onClose: (isDone: boolean) => void;
}

function TaskDialog({ task, people, onClose }: TaskDialogProps) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const send = useSend();
  const invalidate = useInvalidate();
  const changes = useChanges();
  const [first] = people;
  if (task === 'add') {
    const add = async (label: string) => {
      await send('createIdentity', { body: { label, type: 'face' } });
      changes.announce(texts.created(label));
      await invalidate(...PEOPLE_READS);
    };
    return (
      <NameDialog
        title={texts.addTitle}
        submit={texts.create}
        initial=""
        onSubmit={add}
        onClose={() => onClose(false)}
      />
    );
  }
  if (first === undefined) return null;
  if (task === 'merge') return <MergeDialog people={people} onClose={onClose} />;
  if (task === 'delete') return <DeletePeopleDialog people={people} onClose={onClose} />;
  if (task === null) return null;
  return <RenameDialog person={first} onClose={() => onClose(false)} />;
}

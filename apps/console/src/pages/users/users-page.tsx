import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi, useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../frame/page-state.tsx';
import { isForbidden, ReadState } from '../../frame/read-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Table } from '../../ui/table.tsx';
import { TextInput } from '../../ui/text-input.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { AppointDialog } from './appoint-dialog.tsx';
import { ChangeUserDialog, type User, type UserChange } from './change-user-dialog.tsx';
import { UserRow } from './user-row.tsx';
import { USERS_MESSAGES } from './users-messages.ts';

const route = getRouteApi('/$environment/users');

interface Task {
  readonly user: User;
  readonly change: Exclude<UserChange, 'enable'> | 'appoint';
}

/** The accounts of the installation. */
export function UsersPage() {
  const texts = useMessages(USERS_MESSAGES);
  const formats = useFormats();
  const { q = '' } = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/users' });
  const users = useRead('listUsers');
  const [isAdding, setAdding] = useState(false);
  const [task, setTask] = useState<Task | null>(null);
  const isRefused = isForbidden(users.error);
  const add = () => setAdding(true);
  const search = (text: string) =>
    void navigate({ search: { q: text === '' ? undefined : text }, replace: true });
  useCommands([{ id: 'users.add', label: texts.addTitle, run: add, isDisabled: isRefused }]);
  return (
    <Page
      title={texts.title}
      count={users.data && formats.number(users.data.items.length)}
      actions={
        isRefused ? undefined : (
          <>
            <TextInput
              label={texts.search}
              isLabelHidden
              placeholder={texts.search}
              type="search"
              value={q}
              onChange={search}
            />
            <Button onPress={add} shortcut="users.add">
              <Icon name="plus" />
              {texts.add}
            </Button>
          </>
        )
      }
    >
      <ReadState
        data={users.data}
        error={users.error}
        onRetry={() => void users.refetch()}
        forbiddenText={texts.onlyAdministrators}
      >
        {({ items }) => (
          <UserTable users={items} q={q} onShowAll={() => search('')} onTask={setTask} />
        )}
      </ReadState>
      {isAdding && <AddUserDialog onClose={() => setAdding(false)} />}
      {task !== null && <TaskDialog {...task} onClose={() => setTask(null)} />}
    </Page>
  );
}

function TaskDialog({ user, change, onClose }: Task & { readonly onClose: () => void }) {
  if (change === 'appoint') return <AppointDialog user={user} onClose={onClose} />;
  return <ChangeUserDialog user={user} change={change} onClose={onClose} />;
}

interface UserTableProps {
  readonly users: readonly User[];
  readonly q: string;
  readonly onShowAll: () => void;
  readonly onTask: (task: Task) => void;
}

function UserTable({ users, q, onShowAll, onTask }: UserTableProps) {
  const texts = useMessages(USERS_MESSAGES);
  const session = useQuery(sessionQuery(useApi()));
  const wanted = q.trim().toLowerCase();
  const fitting = users.filter(({ email, name }) =>
    [email, name].some((text) => text.toLowerCase().includes(wanted)),
  );
  if (fitting.length === 0) {
    const chip = { key: 'q', text: q, removeText: texts.removeFilter(q), onRemove: onShowAll };
    return (
      <Empty
        title={texts.nothing}
        text={texts.nothingText}
        action={<Chips label={texts.filters} chips={[chip]} />}
      />
    );
  }
  return (
    <Table
      label={texts.title}
      columns={[texts.email, texts.name, texts.rights, texts.state, texts.created, texts.actions]}
    >
      {fitting.map((user) => (
        <UserRow
          key={user.id}
          user={user}
          isSelf={user.id === session.data?.user.id}
          onChange={(change) => onTask({ user, change })}
        />
      ))}
    </Table>
  );
}

import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { ReadState } from '../../frame/read-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { sessionQuery } from '../../session/session.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Panels } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { DeleteEnvironmentDialog, Deletion } from './delete-environment.tsx';
import styles from './environments.module.css';
import { ENVIRONMENTS_MESSAGES } from './environments-messages.ts';
import { LeaveDialog } from './leave-dialog.tsx';
import { Members } from './members.tsx';
import { NameEnvironmentDialog } from './name-environment-dialog.tsx';
import { type Environment, useEnvironmentList } from './use-environment-list.ts';

const route = getRouteApi('/$environment/environments');

type Task =
  | { readonly name: 'add' }
  | { readonly name: 'rename' | 'remove' | 'leave'; readonly environment: Environment };

/** The environments of the account. */
export function EnvironmentsPage() {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const formats = useFormats();
  const { members, deleting } = route.useSearch();
  const { environment: current } = route.useParams();
  const navigate = useNavigate({ from: '/$environment/environments' });
  const { list } = useEnvironmentList();
  const { announce } = useUndoable();
  const api = useApi();
  const client = useQueryClient();
  const [task, setTask] = useState<Task | null>(null);
  const add = () => setTask({ name: 'add' });
  const close = () => setTask(null);
  useCommands([{ id: 'environments.add', label: texts.addTitle, run: add }]);
  const shown = list.data?.items.find(({ id, role }) => id === members && role === 'owner');
  const show = (id: number | undefined) =>
    void navigate({ search: { members: id, deleting }, replace: true });
  const follow = (id: number) =>
    void navigate({ search: { members: undefined, deleting: id }, replace: true });
  const end = (name: string) => {
    announce(texts.removed(name));
    // The first page opens first what the session names, which may be the environment that was deleted.
    void client.invalidateQueries({ queryKey: sessionQuery(api).queryKey });
    const other = list.data?.items.find(({ id }) => id !== deleting)?.id;
    if (other === undefined) {
      void navigate({ to: '/', replace: true });
      return;
    }
    // The page of the deleted environment itself would no longer answer.
    const environment = current === String(deleting) ? String(other) : current;
    void navigate({
      to: '/$environment/environments',
      params: { environment },
      search: { members: undefined, deleting: undefined },
      replace: true,
    });
  };
  return (
    <Page
      title={texts.title}
      count={list.data && formats.number(list.data.items.length)}
      actions={
        <Button onPress={add} shortcut="environments.add">
          <Icon name="plus" />
          {texts.add}
        </Button>
      }
    >
      <Panels>
        <p>{texts.intro}</p>
        {deleting !== undefined && <Deletion key={deleting} id={deleting} onEnd={end} />}
        <ReadState data={list.data} error={list.error} onRetry={() => void list.refetch()}>
          {({ items }) => (
            <EnvironmentTable environments={items} onTask={setTask} onMembers={show} />
          )}
        </ReadState>
        {shown && <Members key={shown.id} environment={shown} onClose={() => show(undefined)} />}
      </Panels>
      {task !== null && <TaskDialog task={task} onClose={close} onDeleting={follow} />}
    </Page>
  );
}

interface TaskDialogProps {
  readonly task: Task;
  readonly onClose: () => void;
  readonly onDeleting: (id: number) => void;
}

function TaskDialog({ task, onClose, onDeleting }: TaskDialogProps) {
  if (task.name === 'add') return <NameEnvironmentDialog environment={null} onClose={onClose} />;
  const { name, environment } = task;
  if (name === 'rename') {
    return <NameEnvironmentDialog environment={environment} onClose={onClose} />;
  }
  if (name === 'leave') return <LeaveDialog environment={environment} onClose={onClose} />;
  return (
    <DeleteEnvironmentDialog
      environment={environment}
      onClose={onClose}
      onStarted={() => {
        onClose();
        onDeleting(environment.id);
      }}
    />
  );
}

interface EnvironmentTableProps {
  readonly environments: readonly Environment[];
  readonly onTask: (task: Task) => void;
  readonly onMembers: (id: number) => void;
}

function EnvironmentTable({ environments, onTask, onMembers }: EnvironmentTableProps) {
  const texts = useMessages(ENVIRONMENTS_MESSAGES);
  const formats = useFormats();
  return (
    <Table label={texts.title} columns={[texts.name, texts.role, texts.created, texts.actions]}>
      {environments.map((environment) => {
        const { id, name, role, created_at: at } = environment;
        return (
          <tr key={id}>
            <th scope="row">
              <bdi>{name}</bdi>
            </th>
            <td>
              {texts[role]}
              <div className={styles.quiet}>{texts[`${role}Text`]}</div>
            </td>
            <td>{formats.date(at)}</td>
            <td>
              <div className={styles.actions}>
                <Link
                  to="/$environment/images"
                  params={{ environment: String(id) }}
                  className={buttonClass()}
                  aria-label={texts.openOf(name)}
                >
                  {texts.open}
                </Link>
                {role !== 'owner' && (
                  <Button
                    aria-label={texts.leaveOf(name)}
                    onPress={() => onTask({ name: 'leave', environment })}
                  >
                    {texts.leave}
                  </Button>
                )}
                {role === 'owner' && (
                  <>
                    <Button aria-label={texts.membersOf(name)} onPress={() => onMembers(id)}>
                      {texts.members}
                    </Button>
                    <Button
                      aria-label={texts.renameOf(name)}
                      onPress={() => onTask({ name: 'rename', environment })}
                    >
                      {texts.rename}
                    </Button>
                    <Button
                      aria-label={texts.removeOf(name)}
                      onPress={() => onTask({ name: 'remove', environment })}
                    >
                      {texts.remove}
                    </Button>
                  </>
                )}
              </div>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

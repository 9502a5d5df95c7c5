import { useMutation } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { OperationBody } from '../../client/operations.ts';
import { usePages } from '../../client/use-pages.ts';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Table } from '../../ui/table.tsx';
import { jobOf, UNDO_MESSAGES, useTakeBack, useUndoable } from '../../undo/undo-context.tsx';
import { OPERATION_NAMES } from '../../undo/operation-names.ts';
import { OperationDialog } from './operation-dialog.tsx';
import { PERSON_MESSAGES } from './person-messages.ts';
import type { PersonTabProps } from './person-tabs.tsx';

const route = getRouteApi('/$environment/people/$person');

type Operation = OperationBody<'listOperations'>['items'][number];

/** The changes of a person by everybody, each of which can be taken back while its values are kept. */
export function HistoryTab({ person }: Pick<PersonTabProps, 'person'>) {
  const texts = useMessages(PERSON_MESSAGES);
  const names = useMessages(OPERATION_NAMES);
  const formats = useFormats();
  const pages = usePages('listOperations', { query: { identity_id: person } });
  const undo = useUndoOf();
  const { operation: opened } = route.useSearch();
  const navigate = route.useNavigate();
  const open = (operation: number | undefined) =>
    void navigate({ search: (before) => ({ ...before, operation }), replace: true });
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (pages.items === undefined) return <Loading />;
  if (pages.items.length === 0) {
    return <Empty title={texts.noHistory} text={texts.noHistoryText} />;
  }
  return (
    <>
      {undo.error && <Failure error={undo.error} />}
      <Table
        label={texts.history}
        columns={[texts.what, texts.count, texts.who, texts.when, texts.undo]}
      >
        {pages.items.map((operation) => (
          <tr key={operation.id}>
            <th scope="row">{names[operation.kind]}</th>
            <td>
              <Button
                aria-label={texts.recordsOf(names[operation.kind], formats.number(operation.count))}
                onPress={() => open(operation.id)}
              >
                {formats.number(operation.count)}
              </Button>
            </td>
            <td>{operation.actor?.name ?? texts.program}</td>
            <td>{formats.dateTime(operation.created_at)}</td>
            <td>
              {operation.undoable && (
                <Button
                  aria-label={`${texts.undo}: ${names[operation.kind]}, ${formats.dateTime(operation.created_at)}`}
                  isBusy={undo.isPending}
                  onPress={() => undo.mutate(operation)}
                >
                  {texts.undo}
                </Button>
              )}
              {operation.undone_by !== null && texts.undone}
            </td>
          </tr>
        ))}
      </Table>
      {pages.hasMore && (
        <Button isBusy={pages.isReadingMore} onPress={pages.readMore}>
          {texts.more}
        </Button>
      )}
      <OpenedOperation id={opened} operations={pages.items} onClose={() => open(undefined)} />
    </>
  );
}

interface OpenedOperationProps {
  readonly id: number | undefined;
  readonly operations: readonly Operation[];
  readonly onClose: () => void;
}

function OpenedOperation({ id, operations, onClose }: OpenedOperationProps) {
  const names = useMessages(OPERATION_NAMES);
  if (id === undefined) return null;
  const kind = operations.find((operation) => operation.id === id)?.kind;
  return (
    <OperationDialog
      id={id}
      name={kind === undefined ? String(id) : names[kind]}
      onClose={onClose}
    />
  );
}

/** Takes operations back, and says what became of it, like the undo of the bar. */
function useUndoOf() {
  const texts = useMessages(UNDO_MESSAGES);
  const names = useMessages(OPERATION_NAMES);
  const { takeBack, undoneOf } = useTakeBack();
  const { done } = useUndoable();
  return useMutation({
    mutationFn: ({ id, kind }: Operation) => takeBack([id], texts.undoing(names[kind])),
    onSuccess: (result, { kind }) =>
      void done(undoneOf(names[kind], result), result.operationIds, jobOf(result)),
  });
}

import { useMutation } from '@tanstack/react-query';
import { useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { usePages } from '../../client/use-pages.ts';
import { useSend } from '../../client/use-send.ts';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Table } from '../../ui/table.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { OPERATION_NAMES } from '../../undo/operation-names.ts';
import { PEOPLE_READS } from '../people/people-reads.ts';
import { PERSON_MESSAGES } from './person-messages.ts';
import type { PersonTabProps } from './person-tabs.tsx';

type Operation = OperationBody<'listOperations'>['items'][number];

/** The changes of a person by everybody, each of which can be taken back while its values are kept. */
export function HistoryTab({ person }: Pick<PersonTabProps, 'person'>) {
  const texts = useMessages(PERSON_MESSAGES);
  const names = useMessages(OPERATION_NAMES);
  const formats = useFormats();
  const pages = usePages('listOperations', { query: { identity_id: person } });
  const undo = useUndoOf();
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
            <td>{formats.number(operation.count)}</td>
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
    </>
  );
}

function useUndoOf() {
  const texts = useMessages(PERSON_MESSAGES);
  const names = useMessages(OPERATION_NAMES);
  const send = useSend();
  const invalidate = useInvalidate();
  const { done } = useChanges();
  return useMutation({
    mutationFn: ({ id }: Operation) => send('undoOperation', { path: { id }, body: {} }),
    onSuccess: ({ operationId }, { kind }) => done(`${texts.undone}: ${names[kind]}`, operationId),
    onSettled: () => invalidate(...PEOPLE_READS),
  });
}

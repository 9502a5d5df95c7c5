import { useMutation } from '@tanstack/react-query';
import { useApi, useInvalidate, useRead } from '../../client/api-context.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { ACCOUNT_MESSAGES } from './account-messages.ts';
import { browserName } from './browser-name.ts';

export function SessionsSection() {
  const texts = useMessages(ACCOUNT_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const sessions = useRead('listSessions');
  const end = useMutation({
    mutationFn: (id: number) => api.send('endSession', { path: { id } }),
    onSuccess: async () => {
      await invalidate('listSessions');
      announce(texts.ended);
    },
  });
  return (
    <Panel title={texts.sessions} text={texts.sessionsText}>
      {sessions.isPending && <Loading />}
      {sessions.error && <Failure error={sessions.error} onRetry={() => void sessions.refetch()} />}
      {end.error && <Failure error={end.error} />}
      {sessions.data && (
        <Table
          label={texts.sessions}
          columns={[texts.browser, texts.address, texts.lastUsed, texts.end]}
        >
          {sessions.data.items.map(({ id, user_agent, address, last_used_at, current }) => {
            const browser = browserName(user_agent) ?? texts.unknown;
            return (
              <tr key={id}>
                <th scope="row">{browser}</th>
                <td>{address ?? texts.unknown}</td>
                <td>{formats.dateTime(last_used_at)}</td>
                <td>
                  {current ? (
                    texts.thisOne
                  ) : (
                    <Button aria-label={texts.endOf(browser)} onPress={() => end.mutate(id)}>
                      {texts.end}
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </Table>
      )}
    </Panel>
  );
}

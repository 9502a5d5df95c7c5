import { useMutation } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import { useSend } from '../../client/use-send.ts';
import type { OperationBody } from '../../client/operations.ts';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { Table } from '../../ui/table.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import type { Webhook } from '../../webhooks/webhook-texts.ts';
import { WEBHOOK_PAGE_MESSAGES } from './webhook-page-messages.ts';
import styles from './webhook.module.css';

type Delivery = OperationBody<'listDeliveries'>['items'][number];

const route = getRouteApi('/$environment/webhooks/$webhook');
const POLL_MS = 5_000;

/** The last attempts to reach a webhook, and the message of one of them. */
export function Deliveries({
  webhook: { id, is_active: isActive },
}: {
  readonly webhook: Webhook;
}) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const { delivery: opened } = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/webhooks/$webhook' });
  const deliveries = useRead('listDeliveries', { path: { id } }, { refetchInterval: POLL_MS });
  const send = useSendAgain(id);
  const open = (delivery: number | undefined) =>
    void navigate({ search: (now) => ({ ...now, delivery }), replace: true });
  return (
    <Panel title={texts.deliveries} text={texts.deliveriesText}>
      {deliveries.isPending && <Loading />}
      {deliveries.error && (
        <Failure error={deliveries.error} onRetry={() => void deliveries.refetch()} />
      )}
      {send.error && <Failure error={send.error} />}
      {deliveries.data?.items.length === 0 && <p>{texts.noDeliveries}</p>}
      {deliveries.data !== undefined && deliveries.data.items.length > 0 && (
        <DeliveryTable
          deliveries={deliveries.data.items}
          opened={opened}
          onOpen={open}
          onSend={isActive ? send.mutate : undefined}
        />
      )}
      {opened !== undefined && <Message key={opened} webhook={id} delivery={opened} />}
    </Panel>
  );
}

function useSendAgain(id: number) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const invalidate = useInvalidate();
  const { announce } = useUndoable();
  const send = useSend();
  return useMutation({
    mutationFn: (delivery: number) => send('sendDelivery', { path: { id, delivery_id: delivery } }),
    onSuccess: async () => {
      announce(texts.queued);
      await invalidate('listDeliveries');
    },
  });
}

interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  readonly opened: number | undefined;
  readonly onOpen: (delivery: number | undefined) => void;
  readonly onSend: ((delivery: number) => void) | undefined;
}

function DeliveryTable({ deliveries, opened, onOpen, onSend }: DeliveryTableProps) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const formats = useFormats();
  return (
    <Table
      label={texts.deliveries}
      columns={[texts.event, texts.attempt, texts.answer, texts.time, texts.next, texts.message]}
    >
      {deliveries.map((delivery) => {
        const { id, event, attempt, created_at: at, next_attempt_at: next } = delivery;
        const isOpen = id === opened;
        return (
          <tr key={id}>
            <th scope="row">{event}</th>
            <td>{formats.number(attempt)}</td>
            <td>
              <AnswerText delivery={delivery} />
            </td>
            <td>{formats.dateTime(at)}</td>
            <td>{next === null ? texts.noNext : formats.dateTime(next)}</td>
            <td>
              <div className={styles.buttons}>
                <Button
                  aria-label={isOpen ? texts.hideOf(String(id)) : texts.showOf(String(id))}
                  aria-expanded={isOpen}
                  onPress={() => onOpen(isOpen ? undefined : id)}
                >
                  {isOpen ? texts.hide : texts.show}
                </Button>
                {onSend !== undefined && event !== 'ping' && (
                  <Button aria-label={texts.againOf(String(id))} onPress={() => onSend(id)}>
                    {texts.again}
                  </Button>
                )}
              </div>
            </td>
          </tr>
        );
      })}
    </Table>
  );
}

function AnswerText({ delivery }: { readonly delivery: Delivery }) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const formats = useFormats();
  const { ok, status_code: status, duration_ms: duration, error } = delivery;
  return (
    <>
      <span className={ok ? styles.good : styles.bad}>
        {ok ? '✓' : '✗'} {status ?? texts.noAnswer}
      </span>{' '}
      {texts.milliseconds(formats.number(duration))}
      {error !== null && <div className={styles.reason}>{error}</div>}
    </>
  );
}

interface MessageProps {
  readonly webhook: number;
  readonly delivery: number;
}

/** The message of an attempt, as it was sent. */
function Message({ webhook, delivery }: MessageProps) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const details = useRead('getDelivery', { path: { id: webhook, delivery_id: delivery } });
  if (details.error) {
    return <Failure error={details.error} onRetry={() => void details.refetch()} />;
  }
  if (details.data === undefined) return <Loading />;
  const { body } = details.data;
  if (body === null) return <Notice>{texts.expired}</Notice>;
  return (
    <section aria-label={texts.bodyTitle(String(delivery))}>
      <CopyBlock text={JSON.stringify(body, null, 2)} />
    </section>
  );
}

import { Link, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../../client/api-context.tsx';
import { usePages } from '../../client/use-pages.ts';
import { Page } from '../../frame/page.tsx';
import { Empty } from '../../frame/page-state.tsx';
import { isForbidden, ReadState } from '../../frame/read-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Table } from '../../ui/table.tsx';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';
import type { Webhook } from '../../webhooks/webhook-texts.ts';
import { AddWebhookDialog } from './add-webhook-dialog.tsx';

const route = getRouteApi('/$environment/webhooks');

/** The addresses that receive the events of the environment. */
export function WebhooksPage() {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const formats = useFormats();
  const pages = usePages('listWebhooks');
  const [isAdding, setAdding] = useState(false);
  const isRefused = isForbidden(pages.error);
  const add = () => setAdding(true);
  useCommands([{ id: 'webhooks.add', label: texts.addTitle, run: add, isDisabled: isRefused }]);
  const button = (
    <Button onPress={add} shortcut="webhooks.add">
      <Icon name="plus" />
      {texts.add}
    </Button>
  );
  return (
    <Page
      title={texts.title}
      count={pages.items && formats.number(pages.items.length)}
      actions={isRefused ? undefined : button}
    >
      <ReadState
        data={pages.items}
        error={pages.error}
        onRetry={pages.retry}
        forbiddenText={texts.onlyOwners}
      >
        {(webhooks) =>
          webhooks.length === 0 ? (
            <Empty title={texts.none} text={texts.noneText} />
          ) : (
            <WebhookTable webhooks={webhooks} />
          )
        }
      </ReadState>
      {isAdding && <AddWebhookDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function WebhookTable({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const { environment } = route.useParams();
  const eventsOf = useEventCount();
  return (
    <Table label={texts.title} columns={[texts.address, texts.events, texts.state, texts.health]}>
      {webhooks.map((webhook) => (
        <tr key={webhook.id}>
          <th scope="row">
            <Link
              to="/$environment/webhooks/$webhook"
              params={{ environment, webhook: String(webhook.id) }}
              search={{ delivery: undefined, code: undefined }}
            >
              <bdi>{webhook.label ?? webhook.url}</bdi>
            </Link>
            {webhook.label !== null && <div>{webhook.url}</div>}
          </th>
          <td>{eventsOf(webhook)}</td>
          <td>{stateOf(webhook, texts)}</td>
          <td>
            <LastAttempt webhook={webhook} />
          </td>
        </tr>
      ))}
    </Table>
  );
}

function useEventCount(): (webhook: Webhook) => string {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const formats = useFormats();
  return ({ events }) => {
    if (events.length === 0) return texts.allEvents;
    return events.length === 1 ? texts.oneEvent : texts.eventCount(formats.number(events.length));
  };
}

type WebhookTexts = ReturnType<typeof useMessages<(typeof WEBHOOK_MESSAGES)['en']>>;

function stateOf(webhook: Webhook, texts: WebhookTexts): string {
  if (webhook.is_active) return texts.isOn;
  return webhook.disabled_reason === null ? texts.isOff : texts[webhook.disabled_reason];
}

/** How the last attempt to reach the address went. */
function LastAttempt({ webhook: { id } }: { readonly webhook: Webhook }) {
  const texts = useMessages(WEBHOOK_MESSAGES);
  const formats = useFormats();
  const deliveries = useRead('listDeliveries', { path: { id } });
  if (deliveries.data === undefined) return null;
  const last = deliveries.data.items[0];
  if (last === undefined) return texts.noAttempt;
  const time = formats.dateTime(last.created_at);
  return last.ok ? texts.delivered(time) : texts.notDelivered(time);
}

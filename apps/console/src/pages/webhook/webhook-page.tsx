import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { usePages } from '../../client/use-pages.ts';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice, NoticeActions } from '../../ui/notice.tsx';
import { Panel, Panels } from '../../ui/panel.tsx';
import { CopyBlock } from '../../ui/copy-block.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { WEBHOOK_MESSAGES } from '../../webhooks/webhook-messages.ts';
import type { Webhook } from '../../webhooks/webhook-texts.ts';
import { Deliveries } from './deliveries.tsx';
import { LANGUAGE_NAMES, LANGUAGES, SIGNATURE_SAMPLES } from './signature-samples.ts';
import { useWebhookActions } from './use-webhook-actions.ts';
import { type DialogName, WebhookDialogs } from './webhook-dialogs.tsx';
import { WEBHOOK_PAGE_MESSAGES } from './webhook-page-messages.ts';

const route = getRouteApi('/$environment/webhooks/$webhook');

/** One webhook with its last attempts. */
export function WebhookPage() {
  const shared = useMessages(WEBHOOK_MESSAGES);
  const { webhook: given } = route.useParams();
  const pages = usePages('listWebhooks');
  const webhook = pages.items?.find(({ id }) => String(id) === given);
  if (webhook !== undefined) return <KnownWebhook key={webhook.id} webhook={webhook} />;
  return (
    <Page title={shared.title}>
      {pages.items === undefined && pages.error === null && <Loading />}
      {isProblem(pages.error, 'forbidden') && <Notice look="warn">{shared.onlyOwners}</Notice>}
      {pages.error && !isProblem(pages.error, 'forbidden') && (
        <Failure error={pages.error} onRetry={pages.retry} />
      )}
      {pages.items !== undefined && <Missing />}
    </Page>
  );
}

function Missing() {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const shared = useMessages(WEBHOOK_MESSAGES);
  return <Empty title={texts.removed} text={shared.noneText} action={<BackLink />} />;
}

function BackLink() {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const { environment } = route.useParams();
  return (
    <Link to="/$environment/webhooks" params={{ environment }} className={buttonClass()}>
      {texts.back}
    </Link>
  );
}

function KnownWebhook({ webhook }: { readonly webhook: Webhook }) {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const shared = useMessages(WEBHOOK_MESSAGES);
  const { environment } = route.useParams();
  const [dialog, setDialog] = useState<DialogName | null>(null);
  const actions = useWebhookActions(webhook.id, environment);
  const error = actions.ping.error ?? (dialog === null ? actions.change.error : null);
  return (
    <Page
      title={webhook.label ?? webhook.url}
      actions={
        <>
          <BackLink />
          <Button isDisabled={actions.ping.isPending} onPress={() => actions.ping.mutate()}>
            {texts.ping}
          </Button>
          <Button onPress={() => setDialog('change')}>{texts.change}</Button>
          <Button onPress={() => setDialog('secret')}>{texts.newSecret}</Button>
          {webhook.is_active && (
            <Button onPress={() => actions.change.mutate({ is_active: false })}>{texts.off}</Button>
          )}
          <Button onPress={() => setDialog('remove')}>{texts.remove}</Button>
        </>
      }
    >
      <Panels>
        {error && <Failure error={error} />}
        {!webhook.is_active && (
          <Notice look="warn">
            <p>{shared[webhook.disabled_reason ?? 'offByPerson']}</p>
            <p>{texts.onText}</p>
            <NoticeActions>
              <Button look="primary" onPress={() => actions.change.mutate({ is_active: true })}>
                {texts.on}
              </Button>
            </NoticeActions>
          </Notice>
        )}
        <WebhookFacts webhook={webhook} />
        <Deliveries webhook={webhook} />
        <SignaturePanel />
      </Panels>
      {dialog !== null && (
        <WebhookDialogs
          name={dialog}
          webhook={webhook}
          actions={actions}
          onClose={() => {
            setDialog(null);
            actions.change.reset();
          }}
        />
      )}
    </Page>
  );
}

function WebhookFacts({ webhook }: { readonly webhook: Webhook }) {
  const shared = useMessages(WEBHOOK_MESSAGES);
  const formats = useFormats();
  const { url, events, has_secret: hasSecret, is_active: isActive, created_at: at } = webhook;
  return (
    <Facts
      facts={[
        { name: shared.address, value: <code>{url}</code> },
        {
          name: shared.events,
          value: events.length === 0 ? shared.allEvents : formats.list(events),
        },
        { name: shared.state, value: isActive ? shared.isOn : shared.isOff },
        { name: shared.sign, value: hasSecret ? shared.signed : shared.unsigned },
        { name: shared.created, value: formats.dateTime(at) },
      ]}
    />
  );
}

function SignaturePanel() {
  const texts = useMessages(WEBHOOK_PAGE_MESSAGES);
  const { code = 'node' } = route.useSearch();
  const navigate = useNavigate({ from: '/$environment/webhooks/$webhook' });
  return (
    <Panel title={texts.code} text={texts.codeText}>
      <Tabs
        label={texts.language}
        tabs={LANGUAGES.map((name) => ({ name, text: LANGUAGE_NAMES[name] }))}
        selected={code}
        onSelect={(name) =>
          void navigate({ search: (now) => ({ ...now, code: name }), replace: true })
        }
      >
        <CopyBlock text={SIGNATURE_SAMPLES[code]} />
      </Tabs>
    </Panel>
  );
}

import { useEffect, useState } from 'react';
import { isProblem } from '../../client/api-error.ts';
import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panels } from '../../ui/panel.tsx';
import { HealthPanel, RequestsPanel, StoragePanel } from './health-panels.tsx';
import { InferencePanel, ProcessesPanel } from './process-panels.tsx';
import { IndexesPanel, JobsPanel, QueuesPanel } from './queue-panels.tsx';
import { SYSTEM_MESSAGES } from './system-messages.ts';

const POLL_MS = 5_000;
/** The age from which the shown state counts as old, in ms. */
const STALE_MS = 3 * POLL_MS;

/** The state of the installation, as long as the page is visible. */
export function SystemPage() {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const state = useRead('getSystemStatus', undefined, { refetchInterval: POLL_MS, staleTime: 0 });
  const isForbidden = isProblem(state.error, 'forbidden', 'admin_required');
  const { data: status } = state;
  return (
    <Page title={texts.title} count={status && texts.asOf(formats.dateTime(status.as_of))}>
      {state.isPending && <Loading />}
      {isForbidden && <Notice look="warn">{texts.onlyAdministrators}</Notice>}
      {state.error && !isForbidden && status === undefined && (
        <Failure error={state.error} onRetry={() => void state.refetch()} />
      )}
      {status && !isForbidden && (
        <Panels>
          <Age since={state.dataUpdatedAt} />
          <HealthPanel status={status} />
          <RequestsPanel status={status} />
          <ProcessesPanel status={status} />
          <InferencePanel status={status} />
          <JobsPanel status={status} />
          <IndexesPanel status={status} />
          <QueuesPanel status={status} />
          <StoragePanel status={status} />
          <p>{texts.docs}</p>
        </Panels>
      )}
    </Page>
  );
}

/** Says how old the shown state is once the service no longer answers. */
function Age({ since }: { readonly since: number }) {
  const texts = useMessages(SYSTEM_MESSAGES);
  const formats = useFormats();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const age = now - since;
  if (age < STALE_MS) return null;
  return <Notice look="bad">{texts.stale(formats.seconds(age / 1000))}</Notice>;
}

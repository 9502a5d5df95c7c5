import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams, useRouteContext } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { ApiProvider } from '../client/api-context.tsx';
import { DecisionsProvider } from '../decisions/decisions-context.tsx';
import { Frame } from '../frame/frame.tsx';
import { FRAME_MESSAGES } from '../frame/frame-messages.ts';
import { JobsProvider } from '../jobs/jobs-context.tsx';
import { Page } from '../frame/page.tsx';
import { LiveProvider } from '../live/live-provider.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { environmentsQuery, sessionQuery } from '../session/session.ts';
import { SignInForm } from '../session/sign-in-form.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { UploadsProvider } from '../uploads/uploads-context.tsx';
import { UndoProvider } from '../undo/undo-context.tsx';

/** The frame around the pages of one environment, and the sign-in over them when the session has ended. */
export function EnvironmentLayout() {
  const { environment } = useParams({ from: '/$environment' });
  const { api: shared, apiOf, log, expired } = useRouteContext({ from: '/$environment' });
  const environments = useQuery(environmentsQuery(shared));
  const opened = environments.data?.items.find(({ id }) => String(id) === environment);
  const isMember = environments.data === undefined || opened !== undefined;
  return (
    <ApiProvider value={apiOf(environment)}>
      <UndoProvider key={environment}>
        <JobsProvider>
          <LiveProvider environment={Number(environment)} sessionEnded={expired.end}>
            <UploadsProvider>
              <DecisionsProvider>
                <Frame environment={environment} log={log}>
                  {isMember ? <Outlet /> : <ForeignEnvironment />}
                </Frame>
              </DecisionsProvider>
            </UploadsProvider>
          </LiveProvider>
        </JobsProvider>
        <ExpiredSessionDialog />
      </UndoProvider>
    </ApiProvider>
  );
}

function ForeignEnvironment() {
  const texts = useMessages(FRAME_MESSAGES);
  return (
    <Page title={texts.noAccess}>
      <Notice look="warn">{texts.foreignEnvironment}</Notice>
    </Page>
  );
}

function ExpiredSessionDialog() {
  const { api, expired } = useRouteContext({ from: '/$environment' });
  const texts = useMessages(FRAME_MESSAGES);
  const client = useQueryClient();
  const session = useQuery({ ...sessionQuery(api), enabled: false });
  const hasEnded = useSyncExternalStore(expired.subscribe, () => expired.hasEnded);
  return (
    <Dialog title={texts.expiredTitle} isOpen={hasEnded}>
      <p>{texts.expiredText}</p>
      <SignInForm
        api={api}
        initialEmail={session.data?.user.email ?? ''}
        onSignedIn={({ id, must_change_password: mustChange }) => {
          // All that this page has read, chosen and queued belongs to the account that opened it.
          if (id !== session.data?.user.id || mustChange) {
            location.assign('/console/');
            return;
          }
          expired.renew();
          void client.invalidateQueries();
        }}
      />
    </Dialog>
  );
}

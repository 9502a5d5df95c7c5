import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Outlet, useParams, useRouteContext } from '@tanstack/react-router';
import { useMemo, useSyncExternalStore } from 'react';
import { Api } from '../client/api.ts';
import { ApiProvider } from '../client/api-context.tsx';
import { DecisionsProvider } from '../decisions/decisions-context.tsx';
import { Frame } from '../frame/frame.tsx';
import { FRAME_MESSAGES } from '../frame/frame-messages.ts';
import { LiveProvider } from '../live/live-provider.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { SignInForm } from '../pages/sign-in/sign-in-form.tsx';
import { environmentsQuery, sessionQuery } from '../session/session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { UploadsProvider } from '../uploads/uploads-context.tsx';
import { ChangesProvider } from '../undo/changes-context.tsx';

/** The frame around the pages of one environment, and the sign-in over them when the session has ended. */
export function EnvironmentLayout() {
  const { environment } = useParams({ from: '/$environment' });
  const { api: shared, log, expired } = useRouteContext({ from: '/$environment' });
  const texts = useMessages(FRAME_MESSAGES);
  const api = useMemo(
    () => new Api({ environment: Number(environment), log, sessionEnded: expired.end }),
    [environment, log, expired],
  );
  const environments = useQuery(environmentsQuery(shared));
  const isMember = environments.data?.items.some(({ id }) => String(id) === environment) ?? true;
  return (
    <ApiProvider value={api}>
      <ChangesProvider key={environment}>
        <LiveProvider environment={Number(environment)} sessionEnded={expired.end}>
          <UploadsProvider>
            <DecisionsProvider>
              <Frame environment={environment} log={log}>
                {isMember ? <Outlet /> : <Notice look="warn">{texts.foreignEnvironment}</Notice>}
              </Frame>
            </DecisionsProvider>
          </UploadsProvider>
        </LiveProvider>
        <ExpiredSessionDialog />
      </ChangesProvider>
    </ApiProvider>
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

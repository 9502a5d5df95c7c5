import { fetchFirst } from './app/first-requests.ts';
import './ui/base.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './app/router.tsx';
import { Api } from './client/api.ts';
import { createQueryClient } from './client/query-client.ts';
import { RequestLog } from './client/request-log.ts';
import { applyLook, storedLook } from './frame/look.ts';
import { AccountWatch } from './session/account-watch.ts';
import { ExpiredSession } from './session/expired-session.ts';

applyLook(storedLook());

const log = new RequestLog();
const queryClient = createQueryClient();
const expired = new ExpiredSession();
const apis = new Map<string, Api>();

function apiOf(environment: string): Api {
  const known = apis.get(environment);
  if (known !== undefined) return known;
  const opened = new Api({ environment: Number(environment), log, sessionEnded: expired.end });
  apis.set(environment, opened);
  return opened;
}

const api = new Api({ environment: null, log, fetch: fetchFirst });
const router = createConsoleRouter({
  api,
  apiOf,
  queryClient,
  log,
  expired,
  accounts: new AccountWatch(async () => (await api.read('getSession')).user.id),
});

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

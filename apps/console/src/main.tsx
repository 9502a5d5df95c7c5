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
import { ExpiredSession } from './session/expired-session.ts';

applyLook(storedLook());

const log = new RequestLog();
const queryClient = createQueryClient();
const router = createConsoleRouter({
  api: new Api({ environment: null, log }),
  queryClient,
  log,
  expired: new ExpiredSession(),
});

createRoot(document.getElementById('console')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);

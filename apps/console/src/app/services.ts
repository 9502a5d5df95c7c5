import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../client/api.ts';
import type { RequestLog } from '../client/request-log.ts';
import type { ExpiredSession } from '../session/expired-session.ts';

/** The objects that all routes share. */
export interface Services {
  /** Sends the requests that need no environment. */
  readonly api: Api;
  readonly queryClient: QueryClient;
  readonly log: RequestLog;
  readonly expired: ExpiredSession;
}

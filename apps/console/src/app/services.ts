import type { QueryClient } from '@tanstack/react-query';
import type { Api } from '../client/api.ts';
import type { RequestLog } from '../client/request-log.ts';
import type { AccountWatch } from '../session/account-watch.ts';
import type { ExpiredSession } from '../session/expired-session.ts';

/** The objects that all routes share. */
export interface Services {
  /** Sends the requests that need no environment. */
  readonly api: Api;
  /** Returns what sends the requests of an environment: the same object each time. */
  readonly apiOf: (environment: string) => Api;
  readonly queryClient: QueryClient;
  readonly log: RequestLog;
  readonly expired: ExpiredSession;
  readonly accounts: AccountWatch;
}

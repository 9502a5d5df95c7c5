import type { ServerResponse } from 'node:http';
import { ClientDisconnected } from './http-errors.ts';

/** Returns a signal that aborts with ClientDisconnected if the client disconnects before the end of the response. */
export function requestSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  const settle = (): void => {
    if (!response.writableFinished) controller.abort(new ClientDisconnected());
  };
  if (response.closed) settle();
  else response.once('close', settle);
  return controller.signal;
}

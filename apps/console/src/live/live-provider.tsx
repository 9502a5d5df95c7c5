import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Api } from '../client/api.ts';
import type { Operation } from '../client/operations.ts';
import { LIVE } from '../client/query-key.ts';
import { RequestLog } from '../client/request-log.ts';
import { followChanges } from './follow-changes.ts';

/** Counts and single records, which follow changes at once. Lists stay as they are, and say how many rows are new. */
const FOLLOWING: ReadonlySet<string> = new Set<Operation>([
  'countReviewQueue',
  'countClusters',
  'getDailyStats',
  'getDetection',
  'getIdentity',
  'getImage',
  'getStats',
  'listOperations',
]);

export interface LiveProviderProps {
  readonly environment: number;
  /** Called when the service refuses the feed because the session has ended. */
  readonly sessionEnded: () => void;
  readonly children: ReactNode;
}

/** Makes the pages follow changes by others: other people, applications, and other tabs. */
export function LiveProvider({ environment, sessionEnded, children }: LiveProviderProps) {
  const client = useQueryClient();
  useEffect(() => {
    // The requests of the feed do not belong to a page, so they have a log of their own.
    const api = new Api({ environment, log: new RequestLog(), sessionEnded });
    return shareChanges(api, () => {
      void client.invalidateQueries({
        predicate: ({ queryKey }) => follows(queryKey, environment),
      });
    });
  }, [client, environment, sessionEnded]);
  return children;
}

function follows(queryKey: QueryKey, environment: number): boolean {
  if (queryKey[0] !== environment) return false;
  return queryKey.at(-1) === LIVE || FOLLOWING.has(queryKey[1] as string);
}

/**
 * Calls the listener after changes. One visible tab of the browser follows the feed for all, as long as it has the lock.
 * A tab that takes over goes on with the last change that the other one has announced.
 *
 * @returns a function that ends it
 */
function shareChanges(api: Api, changed: () => void): () => void {
  const name = `sightline-changes-${api.environment}`;
  const channel = new BroadcastChannel(name);
  let last: number | null = null;
  let controller = new AbortController();
  channel.onmessage = ({ data }: MessageEvent<number>) => {
    last = data;
    changed();
  };
  const announce = (id: number) => {
    last = id;
    channel.postMessage(id);
    changed();
  };
  const follow = (signal: AbortSignal) =>
    followChanges({
      read: (query, requestSignal) => api.read('listChanges', { query, signal: requestSignal }),
      // The pages read everything again, so the changes between need not be known.
      begin: (latest) => {
        if (last !== null && latest !== last) announce(latest);
        // A tab that is hidden before the first change goes on from here.
        last = latest;
        return latest;
      },
      onChanges: ({ next_cursor: next }) => announce(next),
      onFailure: () => true,
      signal,
    });
  const update = () => {
    controller.abort();
    if (document.visibilityState === 'hidden') return;
    controller = new AbortController();
    void holdLock(name, controller.signal, follow);
  };
  update();
  document.addEventListener('visibilitychange', update);
  return () => {
    document.removeEventListener('visibilitychange', update);
    controller.abort();
    channel.close();
  };
}

/** Runs the function while it has the lock. Pages without encryption have no locks, so each of their tabs runs it. */
async function holdLock(
  name: string,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) return run(signal);
  try {
    await locks.request(name, { signal }, () => run(signal));
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

import { useRouteContext } from '@tanstack/react-router';
import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { ChangeFeed, type FeedState } from './change-feed.ts';

export interface FollowedFeed extends FeedState {
  readonly retry: () => void;
}

/** Follows the changes of the environment while the page is visible, unless the person has paused it. */
export function useChangeFeed(isPaused: boolean): FollowedFeed {
  const api = useApi();
  const { expired } = useRouteContext({ from: '/$environment' });
  const feed = useMemo(
    () => new ChangeFeed({ read: (query, signal) => api.read('listChanges', { query, signal }) }),
    [api],
  );
  useEffect(() => {
    const update = () => (isPaused || document.hidden ? feed.stop() : feed.start());
    update();
    document.addEventListener('visibilitychange', update);
    return () => {
      document.removeEventListener('visibilitychange', update);
      feed.stop();
    };
  }, [feed, isPaused]);
  useEffect(
    () =>
      expired.subscribe(() => {
        if (!expired.hasEnded && feed.state.phase === 'failed') feed.retry();
      }),
    [expired, feed],
  );
  const state = useSyncExternalStore(feed.subscribe, () => feed.state);
  return { ...state, retry: () => feed.retry() };
}

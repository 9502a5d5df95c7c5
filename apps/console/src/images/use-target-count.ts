import { useQuery } from '@tanstack/react-query';
import { useApi } from '../client/api-context.tsx';
import type { ImageTarget } from './image-target.ts';

/** The exact number of images that a decision is about. */
export function useTargetCount(target: ImageTarget) {
  const api = useApi();
  return useQuery({
    queryKey: [api.environment, 'bulkImages', target],
    queryFn: async ({ signal }) => {
      if (target.kind === 'some') return target.ids.length;
      const { where, as_of, except } = target;
      const body = { action: 'delete', where, as_of, except, dry_run: true } as const;
      const answer = await api.read('bulkImages', { body, signal });
      return 'count' in answer ? answer.count : answer.total;
    },
    gcTime: 0,
  });
}

import { queryOptions } from '@tanstack/react-query';
import type { Api } from '../client/api.ts';

/** The account that is signed in, and the environment that it opens first. */
export const sessionQuery = (api: Api) =>
  queryOptions({
    queryKey: ['session'],
    queryFn: ({ signal }) => api.read('getSession', { signal }),
    staleTime: 60_000,
    retry: false,
  });

export const profileQuery = (api: Api) =>
  queryOptions({
    queryKey: ['profile'],
    queryFn: ({ signal }) => api.read('getProfile', { signal }),
    staleTime: 60_000,
  });

export const environmentsQuery = (api: Api) =>
  queryOptions({
    queryKey: ['environments'],
    queryFn: ({ signal }) => api.read('listEnvironments', { signal }),
    staleTime: 60_000,
  });

export const capabilitiesQuery = (api: Api) =>
  queryOptions({
    queryKey: ['capabilities'],
    queryFn: ({ signal }) => api.read('getCapabilities', { signal }),
    staleTime: 60_000,
  });

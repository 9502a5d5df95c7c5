import type {
  KnownEnvironment,
  MemberEnvironment,
} from '@sightline/core/accounts/environment-store';

export function presentEnvironment({ id, name, role, createdAt }: MemberEnvironment) {
  return { id, name, role, created_at: createdAt.toISOString() };
}

export function presentKnownEnvironment(environment: KnownEnvironment) {
  const { deleting } = environment;
  return {
    ...presentEnvironment(environment),
    deleting: deleting && { ...deleting, done: Math.min(deleting.done, deleting.total) },
  };
}

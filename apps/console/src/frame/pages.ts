import type { IconName } from '../ui/icon.tsx';

/**
 * The pages of an environment in the order of the navigation, and the key after G that leads to each. Those for
 * administrators are hidden from others.
 */
export const PAGES = [
  { name: 'overview', to: '/$environment/overview', icon: 'overview', key: 'H' },
  { name: 'review', to: '/$environment/review', icon: 'review', key: 'R' },
  { name: 'people', to: '/$environment/people', icon: 'people', key: 'P' },
  { name: 'unknown', to: '/$environment/unknown', icon: 'unknown', key: 'U' },
  { name: 'images', to: '/$environment/images', icon: 'images', key: 'I' },
  { name: 'objects', to: '/$environment/objects', icon: 'objects', key: 'O' },
  { name: 'upload', to: '/$environment/upload', icon: 'upload', key: 'A' },
  { name: 'try', to: '/$environment/try', icon: 'try', key: 'T' },
  { name: 'jobs', to: '/$environment/jobs', icon: 'jobs', key: 'J' },
  { name: 'changes', to: '/$environment/changes', icon: 'changes', key: 'C' },
  { name: 'webhooks', to: '/$environment/webhooks', icon: 'webhooks', key: 'W' },
  { name: 'models', to: '/$environment/models', icon: 'models', key: 'M' },
  { name: 'settings', to: '/$environment/settings', icon: 'settings', key: 'S' },
  { name: 'audit', to: '/$environment/audit', icon: 'audit', key: 'L' },
  { name: 'environments', to: '/$environment/environments', icon: 'environments', key: 'E' },
  {
    name: 'users',
    to: '/$environment/users',
    icon: 'account',
    key: 'N',
    isForAdministrators: true,
  },
  {
    name: 'system',
    to: '/$environment/system',
    icon: 'system',
    key: 'Y',
    isForAdministrators: true,
  },
] as const satisfies readonly {
  readonly name: string;
  readonly to: string;
  readonly icon: IconName;
  readonly key: string;
  readonly isForAdministrators?: true;
}[];

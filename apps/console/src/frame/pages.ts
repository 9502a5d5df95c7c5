import type { IconName } from '../ui/icon.tsx';

/** The pages of an environment in the order of the navigation, and the key after G that leads to each. */
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
] as const satisfies readonly {
  readonly name: string;
  readonly to: string;
  readonly icon: IconName;
  readonly key: string;
}[];

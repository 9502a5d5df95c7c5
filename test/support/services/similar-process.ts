import { SupervisedProcess } from '@sightline/dev-platform/supervised-process';

/** Plans a process like another one of a platform, with some different settings. */
export function similarProcess(
  { plan }: Pick<SupervisedProcess, 'plan'>,
  {
    name,
    settings,
  }: { readonly name: string; readonly settings: Readonly<Record<string, string>> },
): SupervisedProcess {
  return new SupervisedProcess(
    { ...plan, name, environment: { ...plan.environment, ...settings } },
    { restart: false, onLine: () => undefined, onEvent: () => undefined },
  );
}

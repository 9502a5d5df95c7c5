import { SupervisedProcess } from '@sightline/dev-platform/supervised-process';

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

import { useRights } from '../session/use-rights.ts';
import { PAGES } from './pages.ts';

/** The pages that the navigation shows to the person. */
export function useShownPages(): readonly (typeof PAGES)[number][] {
  const { isAdministrator } = useRights();
  return PAGES.filter((page) => isAdministrator || !('isForAdministrators' in page));
}

import { getRouteApi } from '@tanstack/react-router';
import { useMessages } from '../../messages/locale-context.tsx';
import { ChoiceFilters } from '../../ui/filters.tsx';
import { CHANGES_MESSAGES } from './changes-messages.ts';
import { ACTIONS, ENTITIES } from './changes-search.ts';

const route = getRouteApi('/$environment/changes');

/** The kinds of changes that are shown. */
export function ChangesFilters() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <ChoiceFilters
      choices={{ entity: ENTITIES, action: ACTIONS }}
      texts={useMessages(CHANGES_MESSAGES)}
      search={search}
      onChange={(changed) => void navigate({ search: changed, replace: true })}
    />
  );
}

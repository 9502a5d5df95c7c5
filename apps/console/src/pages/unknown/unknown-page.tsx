import { getRouteApi } from '@tanstack/react-router';
import { Page } from '../../frame/page.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { FacesTab } from './faces-tab.tsx';
import { GroupsTab } from './groups-tab.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import { useGroupCount } from './use-groups.ts';

const route = getRouteApi('/$environment/unknown');

/** The faces that belong to no person yet. */
export function UnknownPage() {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const { tab, threshold } = route.useSearch();
  const navigate = route.useNavigate();
  const count = useGroupCount(threshold);
  const groups = count === undefined ? undefined : formats.number(count);
  return (
    <Page title={texts.title}>
      <Tabs
        label={texts.parts}
        tabs={[
          {
            name: 'groups',
            text: groups === undefined ? texts.groups : `${texts.groups} ${groups}`,
          },
          { name: 'faces', text: texts.faces },
        ]}
        selected={tab ?? 'groups'}
        onSelect={(selected) =>
          void navigate({
            search: (search) => ({ ...search, tab: selected === 'faces' ? selected : undefined }),
          })
        }
      >
        <div className={styles.body}>{tab === 'faces' ? <FacesTab /> : <GroupsTab />}</div>
      </Tabs>
    </Page>
  );
}

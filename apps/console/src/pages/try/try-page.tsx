import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../frame/page.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { IdentifyTab } from './identify-tab.tsx';
import type { Photo } from './photo.ts';
import { TestTab } from './test-tab.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import { TRY_TABS, type TrySearch, type TryTab } from './try-search.ts';
import type { StoredRun } from './try-tab.ts';
import styles from './try.module.css';
import { VerifyTab } from './verify-tab.tsx';

/** Shows what the service sees in a photo, without storing it. */
export function TryPage() {
  const texts = useMessages(TRY_MESSAGES);
  const search = useSearch({ from: '/$environment/try' });
  const navigate = useNavigate({ from: '/$environment/try' });
  const [photo, setPhoto] = useState<Photo | null>(null);
  const [second, setSecond] = useState<Photo | null>(null);
  const [runs, setRuns] = useState<ReadonlyMap<number, StoredRun>>(new Map());
  const change = (changed: TrySearch) =>
    void navigate({ search: (previous) => ({ ...previous, ...changed }), replace: true });
  const tab = search.tab ?? 'test';
  const shared = {
    photo,
    onPhoto: setPhoto,
    search,
    onSearch: change,
    run: photo === null ? undefined : runs.get(photo.id),
    onStored: (run: StoredRun) => photo && setRuns(new Map([...runs, [photo.id, run]])),
  };
  return (
    <Page title={texts.title}>
      <div className={styles.body}>
        <p className={styles.quiet}>{texts.nothingStored}</p>
        <Tabs<TryTab>
          label={texts.tabs}
          selected={tab}
          onSelect={(next) => void navigate({ search: (previous) => ({ ...previous, tab: next }) })}
          tabs={TRY_TABS.map((name) => ({ name, text: texts[name] }))}
        >
          {tab === 'test' && <TestTab {...shared} />}
          {tab === 'identify' && <IdentifyTab {...shared} />}
          {tab === 'verify' && <VerifyTab {...shared} second={second} onSecond={setSecond} />}
        </Tabs>
      </div>
    </Page>
  );
}

import { getRouteApi, Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ChangeTable } from './change-table.tsx';
import { ChangesFilters } from './changes-filters.tsx';
import { CHANGES_MESSAGES } from './changes-messages.ts';
import styles from './changes.module.css';
import { isShown } from './changes-search.ts';
import { type FollowedFeed, useChangeFeed } from './use-change-feed.ts';

const route = getRouteApi('/$environment/changes');

/** The changes of the environment as they come. */
export function ChangesPage() {
  const texts = useMessages(CHANGES_MESSAGES);
  const formats = useFormats();
  const search = route.useSearch();
  const [isPaused, setPaused] = useState(false);
  const feed = useChangeFeed(isPaused);
  const toggle = () => setPaused(!isPaused);
  const label = isPaused ? texts.resume : texts.pause;
  useCommands([{ id: 'changes.pause', label, run: toggle }]);
  const shown = feed.changes.filter((change) => isShown(change, search));
  return (
    <Page
      title={texts.title}
      actions={
        <Button shortcut="changes.pause" onPress={toggle}>
          {label}
        </Button>
      }
    >
      <div className={styles.body}>
        <p>{texts.intro}</p>
        <p role="status" className={styles.phase}>
          {texts[feed.phase]}
        </p>
        {feed.cursor !== null && <Cursor cursor={feed.cursor} />}
        <ChangesFilters />
        {feed.error && <Failure error={feed.error} onRetry={feed.retry} />}
        {feed.skipped > 0 && (
          <Notice look="warn">{texts.skipped(formats.number(feed.skipped))}</Notice>
        )}
        {shown.length > 0 ? <ChangeTable changes={shown} /> : <NoChanges feed={feed} />}
      </div>
    </Page>
  );
}

function Cursor({ cursor }: { readonly cursor: number }) {
  const texts = useMessages(CHANGES_MESSAGES);
  return (
    <div className={styles.cursor}>
      <span>
        {texts.cursor} <code>{cursor}</code>
      </span>
      <CopyButton text={String(cursor)} label={texts.copy} />
      <p className={styles.hint}>{texts.cursorHint}</p>
    </div>
  );
}

function NoChanges({ feed }: { readonly feed: FollowedFeed }) {
  const texts = useMessages(CHANGES_MESSAGES);
  const { environment } = route.useParams();
  const navigate = route.useNavigate();
  if (feed.phase === 'failed') return null;
  if (feed.changes.length > 0) {
    return (
      <Empty
        title={texts.noneTitle}
        text={texts.noneText}
        action={<Button onPress={() => void navigate({ search: {} })}>{texts.clear}</Button>}
      />
    );
  }
  if (feed.phase === 'starting') return <Loading />;
  return (
    <Empty
      title={texts.emptyTitle}
      text={texts.emptyText}
      action={
        <Link to="/$environment/upload" params={{ environment }} className={buttonClass('primary')}>
          {texts.upload}
        </Link>
      }
    />
  );
}

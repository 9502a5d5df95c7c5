import { getRouteApi } from '@tanstack/react-router';
import { useRead } from '../../client/api-context.tsx';
import { useDecisionProgress, useDecisionQueue } from '../../decisions/decisions-context.tsx';
import { Page } from '../../frame/page.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, NoticeActions } from '../../ui/notice.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { ByPerson } from './by-person.tsx';
import { OneByOne } from './one-by-one.tsx';
import { REVIEW_MESSAGES } from './review-messages.ts';
import { REVIEW_TABS, type ReviewTab } from './review-search.ts';
import styles from './review.module.css';

const route = getRouteApi('/$environment/review');

/** The faces that wait for a decision. */
export function ReviewPage() {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  const { tab = 'suggested', view } = route.useSearch();
  const navigate = route.useNavigate();
  const counts = useCounts();
  const isByPerson = tab === 'suggested' && view === 'person';
  const select = (selected: ReviewTab) =>
    void navigate({
      search: (search) => ({ ...search, tab: selected === 'suggested' ? undefined : selected }),
    });
  return (
    <Page title={texts.title} actions={tab === 'suggested' && <ViewSwitch />}>
      <div className={styles.body}>
        <Tabs
          label={texts.parts}
          tabs={REVIEW_TABS.map((name) => ({
            name,
            text: withCount(texts[name], counts[name], formats.number.bind(formats)),
          }))}
          selected={tab}
          onSelect={select}
        >
          <div className={styles.body}>
            <WaitingDecisions />
            {isByPerson ? <ByPerson /> : <OneByOne key={tab} tab={tab} />}
          </div>
        </Tabs>
      </div>
    </Page>
  );
}

function withCount(text: string, count: number | undefined, format: (count: number) => string) {
  return count === undefined ? text : `${text} ${format(count)}`;
}

function useCounts(): Readonly<Record<ReviewTab, number | undefined>> {
  const all = useRead('countReviewQueue').data?.count;
  const suggested = useRead('countReviewQueue', { query: { has_suggestion: true } }).data?.count;
  const mismatches = useRead('listMismatches', { query: { limit: 1 } }).data?.count;
  const open = all === undefined || suggested === undefined ? undefined : all - suggested;
  return { suggested, open: open && Math.max(open, 0), mismatches };
}

function ViewSwitch() {
  const texts = useMessages(REVIEW_MESSAGES);
  const { view } = route.useSearch();
  const navigate = route.useNavigate();
  const isByPerson = view === 'person';
  const change = () =>
    void navigate({
      search: (search) => ({ ...search, view: isByPerson ? undefined : 'person' }),
    });
  const text = isByPerson ? texts.one : texts.byPerson;
  useCommands([{ id: 'review.view', label: text, run: change }]);
  return (
    <Button shortcut="review.view" onPress={change}>
      {text}
    </Button>
  );
}

/** Says how many decisions the service has not answered, and how fast the person decides. */
function WaitingDecisions() {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  const queue = useDecisionQueue();
  const { unanswered, obstacle, rate } = useDecisionProgress();
  if (obstacle !== null && unanswered > 0) {
    return (
      <Notice look="warn">
        <p role="status">{texts.obstacle(formats.number(unanswered))}</p>
        <NoticeActions>
          <Button onPress={queue.wake}>{texts.sendNow}</Button>
        </NoticeActions>
      </Notice>
    );
  }
  const parts = [
    ...(rate === null ? [] : [texts.perSecond(formats.score(rate))]),
    ...(unanswered === 0 ? [] : [texts.waiting(formats.number(unanswered))]),
  ];
  return <p className={styles.progress}>{parts.join(' · ')}</p>;
}

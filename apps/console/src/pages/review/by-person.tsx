import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { usePages } from '../../client/use-pages.ts';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Slider } from '../../ui/slider.tsx';
import { PersonGroup } from './person-group.tsx';
import { REVIEW_MESSAGES } from './review-messages.ts';
import styles from './review.module.css';
import { type Group, useGroupReview } from './use-group-review.ts';
import { useLateSuggestions } from './use-late-suggestions.ts';

const route = getRouteApi('/$environment/review');

/** How many of the following groups are named. */
const NAMED = 3;

/** All faces that look like one person, for one decision about them. */
export function ByPerson() {
  const { min, person } = route.useSearch();
  const navigate = route.useNavigate();
  const pages = usePages('listSuggestionGroups', { query: { min_similarity: min } });
  const groups = pages.items ?? [];
  const found = groups.findIndex(({ identity_id: id }) => id === person);
  const index = Math.max(found, 0);
  const group = groups[index];
  const goTo = (next: number) =>
    void navigate({
      replace: true,
      search: (search) => ({ ...search, person: groups[next]?.identity_id }),
    });
  const setMin = (value: number | undefined) =>
    void navigate({ replace: true, search: (search) => ({ ...search, min: value }) });
  // The next group is opened by its person, because the list is read again without the decided one.
  const review = useGroupReview(({ identity_id: id }) => {
    // The person may have moved on to another group before the answer.
    if (id === group?.identity_id) goTo(index + 1);
  });
  useLateSuggestions();
  return (
    <>
      <MinimumSlider min={min} onChange={setMin} />
      <GroupsState pages={pages} min={min} onRemove={() => setMin(undefined)} />
      {group !== undefined && pages.first !== undefined && (
        <PersonGroup
          key={group.identity_id}
          group={group}
          asOf={pages.first.as_of}
          min={min}
          review={review}
          onNext={index + 1 < groups.length ? () => goTo(index + 1) : undefined}
          onPrevious={index > 0 ? () => goTo(index - 1) : undefined}
        />
      )}
      <NextGroups groups={groups.slice(index + 1)} pages={pages} />
    </>
  );
}

type GroupPages = ReturnType<typeof usePages<'listSuggestionGroups'>>;

interface GroupsStateProps {
  readonly pages: GroupPages;
  readonly min: number | undefined;
  readonly onRemove: () => void;
}

/** Says why there are no groups, if there are none. */
function GroupsState({ pages, min, onRemove }: GroupsStateProps) {
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (pages.items === undefined) return <Loading />;
  return pages.items.length === 0 ? <NoGroups min={min} onRemove={onRemove} /> : null;
}

interface NextGroupsProps {
  readonly groups: readonly Group[];
  readonly pages: GroupPages;
}

function NextGroups({ groups, pages }: NextGroupsProps) {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  if (groups.length === 0 && !pages.hasMore) return null;
  return (
    <p className={styles.next}>
      {texts.nextUp}
      {groups.slice(0, NAMED).map(({ identity_id: id, label, count }) => (
        <span key={id}>
          <bdi>{label}</bdi> {formats.number(count)}
        </span>
      ))}
      {pages.hasMore && groups.length <= NAMED && (
        <Button onPress={pages.readMore}>{texts.morePeople}</Button>
      )}
    </p>
  );
}

interface MinimumSliderProps {
  readonly min: number | undefined;
  readonly onChange: (min: number | undefined) => void;
}

function MinimumSlider({ min = 0, onChange }: MinimumSliderProps) {
  const texts = useMessages(REVIEW_MESSAGES);
  const [moved, setMoved] = useState<number | null>(null);
  const value = moved ?? min;
  return (
    <div className={styles.slider}>
      <Slider
        label={texts.minimum}
        value={value}
        min={0}
        max={1}
        step={0.01}
        onChange={setMoved}
        onChangeEnd={(end) => {
          setMoved(null);
          onChange(end === 0 ? undefined : end);
        }}
      />
    </div>
  );
}

function NoGroups({ min, onRemove }: { readonly min: number | undefined; onRemove: () => void }) {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  return (
    <>
      {min !== undefined && (
        <Chips
          label={texts.filters}
          chips={[
            {
              key: 'min',
              text: texts.noGroupsAbove(formats.score(min)),
              removeText: texts.removeMinimum(texts.noGroupsAbove(formats.score(min))),
              onRemove,
            },
          ]}
        />
      )}
      <Empty title={texts.noGroups} text={texts.noGroupsText} />
    </>
  );
}

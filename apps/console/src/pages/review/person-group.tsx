import { useRef, useState } from 'react';
import { type Pages, usePages } from '../../client/use-pages.ts';
import { FaceChecks, facesPerRow } from '../../faces/face-checks.tsx';
import { FaceCrop } from '../../faces/face-crop.tsx';
import { Loading } from '../../frame/page-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { REVIEW_MESSAGES } from './review-messages.ts';
import styles from './review.module.css';
import type { Group, useGroupReview } from './use-group-review.ts';

export interface PersonGroupProps {
  readonly group: Group;
  readonly asOf: string;
  readonly min: number | undefined;
  readonly review: ReturnType<typeof useGroupReview>;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

const NONE: ReadonlySet<number> = new Set();

/** The faces that look like one person. All belong to the decision but those that were taken out. */
export function PersonGroup(props: PersonGroupProps) {
  const { group, asOf, min, review, onNext, onPrevious } = props;
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  const [out, setOut] = useState(NONE);
  const [current, setCurrent] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const pages = usePages('listReviewQueue', {
    query: { identity_id: group.identity_id, min_similarity: min, sort: 'similarity' },
  });
  const faces = pages.items ?? [];
  const error = review.errorOf(group);
  const count = group.count - out.size;
  const move = (by: number) =>
    setCurrent((at) => Math.min(Math.max(at + by, 0), Math.max(faces.length - 1, 0)));
  const moveRow = (by: number) =>
    move(by * facesPerRow(list.current?.querySelector('[data-faces]') ?? null));
  const toggle = (id: number | undefined, index: number) => {
    setCurrent(index);
    if (id !== undefined) setOut(toggled(out, id));
  };
  const decide = (rejectsOthers: boolean) => {
    if (count > 0) review.decide({ group, asOf, min, except: [...out], rejectsOthers });
  };
  const confirmText = texts.confirmCount(formats.number(count));
  const bothText = texts.confirmAndReject(formats.number(count), formats.number(out.size));
  useCommands([
    {
      id: 'group.confirm',
      label: confirmText,
      run: () => decide(false),
      isDisabled: review.isPending,
    },
    {
      id: 'group.both',
      label: bothText,
      run: () => decide(true),
      isDisabled: review.isPending || out.size === 0,
    },
    {
      id: 'group.toggle',
      label: texts.takeOut,
      run: () => toggle(faces[current]?.detection_id, current),
    },
    { id: 'group.next', label: texts.nextPerson, run: () => onNext?.() },
    { id: 'group.previous', label: texts.previousPerson, run: () => onPrevious?.() },
    { id: 'group.right', label: texts.next, run: () => move(1) },
    { id: 'group.left', label: texts.previous, run: () => move(-1) },
    { id: 'group.down', label: texts.next, run: () => moveRow(1) },
    { id: 'group.up', label: texts.previous, run: () => moveRow(-1) },
  ]);
  return (
    <div className={styles.body} ref={list}>
      <GroupHead group={group} />
      {error && <Failure error={error} onRetry={review.retry} />}
      <div className={styles.actions}>
        <Button
          look="primary"
          shortcut="group.confirm"
          isDisabled={count === 0}
          isBusy={review.isPending}
          onPress={() => decide(false)}
        >
          {confirmText}
        </Button>
        {out.size > 0 && (
          <Button shortcut="group.both" isBusy={review.isPending} onPress={() => decide(true)}>
            {bothText}
          </Button>
        )}
        <Button
          shortcut="group.toggle"
          onPress={() => toggle(faces[current]?.detection_id, current)}
        >
          {texts.takeOut}
        </Button>
        <Button
          shortcut="group.previous"
          isDisabled={onPrevious === undefined}
          onPress={() => onPrevious?.()}
        >
          {texts.previousPerson}
        </Button>
        <Button shortcut="group.next" isDisabled={onNext === undefined} onPress={() => onNext?.()}>
          {texts.nextPerson}
        </Button>
      </div>
      <GroupFaces label={group.label} pages={pages} out={out} current={current} onToggle={toggle} />
    </div>
  );
}

interface GroupFacesProps {
  readonly label: string;
  readonly pages: Pages<'listReviewQueue'>;
  readonly out: ReadonlySet<number>;
  readonly current: number;
  readonly onToggle: (id: number, index: number) => void;
}

function GroupFaces({ label, pages, out, current, onToggle }: GroupFacesProps) {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (pages.items === undefined) return <Loading />;
  return (
    <>
      {pages.items.length > 0 && (
        <FaceChecks
          label={texts.groupFaces(label)}
          faces={pages.items.map((face, index) => ({
            id: face.detection_id,
            cropUrl: face.crop_url,
            text: texts.faceOf(
              formats.number(index + 1),
              formats.score(face.suggested_matches[0]?.similarity ?? 0),
            ),
          }))}
          out={out}
          current={current}
          onToggle={onToggle}
        />
      )}
      {pages.hasMore && <Button onPress={pages.readMore}>{texts.more}</Button>}
    </>
  );
}

function GroupHead({ group }: { readonly group: Group }) {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  return (
    <div className={styles.group}>
      <span className={styles.cover}>
        <FaceCrop url={group.thumbnail_url} alt="" width={96} />
      </span>
      <h2 aria-live="polite">
        <bdi>{group.label}</bdi>
      </h2>
      <span>{texts.facesCount(formats.number(group.count))}</span>
      <span className={styles.quiet}>
        {texts.range(formats.score(group.best), formats.score(group.worst))}
      </span>
    </div>
  );
}

function toggled(set: ReadonlySet<number>, id: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(id)) next.add(id);
  return next;
}

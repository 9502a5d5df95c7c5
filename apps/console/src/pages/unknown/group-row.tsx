import { FaceChecks } from '../../faces/face-checks.tsx';
import { joinClasses } from '../../ui/join-classes.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import type { FaceGroup } from './use-groups.ts';

export interface GroupRowProps {
  readonly group: FaceGroup;
  readonly number: number;
  readonly out: ReadonlySet<number>;
  /** The index of the face that the keys act on; null in all groups but one. */
  readonly current: number | null;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
  readonly onToggle: (id: number, index: number) => void;
  readonly onShowAll: () => void;
  readonly onName: () => void;
  readonly onIgnore: () => void;
}

/** A group of faces that are probably of one person. */
export function GroupRow(props: GroupRowProps) {
  const { group, number, out, current, isChosen, onChoose, onToggle, onShowAll } = props;
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const outside = group.items.filter(({ detection_id: id }) => out.has(id)).length;
  const hidden = group.size - group.items.length;
  const isCurrent = current !== null;
  const name = texts.group(formats.number(number));
  return (
    <section
      className={joinClasses(styles.group, isCurrent && styles.current)}
      aria-label={name}
      aria-current={isCurrent || undefined}
    >
      <div className={styles.head}>
        <h2>{texts.size(formats.number(group.size))}</h2>
        {outside > 0 && (
          <span className={styles.quiet}>{texts.takenOut(formats.number(outside))}</span>
        )}
        <Checkbox isSelected={isChosen} onChange={onChoose}>
          {texts.choose}
        </Checkbox>
        <span className={styles.actions}>
          <Button
            {...(isCurrent && { look: 'primary', shortcut: 'unknown.name' })}
            onPress={props.onName}
          >
            {texts.name}
          </Button>
          <Button {...(isCurrent && { shortcut: 'unknown.ignore' })} onPress={props.onIgnore}>
            {texts.ignore}
          </Button>
        </span>
      </div>
      <FaceChecks
        label={name}
        faces={group.items.map(({ detection_id: id, crop_url: cropUrl }, index) => ({
          id,
          cropUrl,
          text: texts.face(formats.number(index + 1)),
        }))}
        out={out}
        current={current}
        onToggle={onToggle}
      />
      {hidden > 0 && <Button onPress={onShowAll}>{texts.all(formats.number(hidden))}</Button>}
    </section>
  );
}

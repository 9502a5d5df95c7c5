import { useEffect, useId, useRef } from 'react';
import { Icon } from '../ui/icon.tsx';
import { FaceCrop } from './face-crop.tsx';
import styles from './face-checks.module.css';

export interface CheckedFace {
  readonly id: number;
  readonly cropUrl: string;
  /** The name of the face for screen readers. */
  readonly text: string;
}

export interface FaceChecksProps {
  readonly label: string;
  readonly faces: readonly CheckedFace[];
  /** The faces that the decision leaves out. */
  readonly out: ReadonlySet<number>;
  /** The index of the face that the keys act on; null if they act on faces elsewhere. */
  readonly current: number | null;
  readonly onToggle: (id: number, index: number) => void;
}

/** Faces for one decision, each of which can be taken out. The page's keys move between them. */
export function FaceChecks({ label, faces, out, current, onToggle }: FaceChecksProps) {
  const id = useId();
  const list = useRef<HTMLUListElement>(null);
  const shown = useRef(current);
  useEffect(() => {
    const isMoved = current !== shown.current;
    shown.current = current;
    // A list that has just appeared stays where it is.
    if (current === null || !isMoved) return;
    list.current?.children[current]?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  return (
    <ul
      ref={list}
      className={styles.faces}
      role="listbox"
      aria-label={label}
      aria-multiselectable
      tabIndex={0}
      data-faces
      {...(current !== null && { 'aria-activedescendant': `${id}-${current}` })}
    >
      {faces.map((face, index) => (
        <li
          key={face.id}
          id={`${id}-${index}`}
          className={styles.face}
          role="option"
          aria-label={face.text}
          aria-selected={!out.has(face.id)}
          data-current={index === current || undefined}
          onClick={() => onToggle(face.id, index)}
        >
          <FaceCrop url={face.cropUrl} alt="" width={96} />
          <span className={styles.mark}>
            <Icon name={out.has(face.id) ? 'close' : 'check'} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The number of faces in a row of a list of faces. */
export function facesPerRow(list: Element | null): number {
  const faces = [...(list?.children ?? [])].filter((each) => each instanceof HTMLElement);
  const first = faces[0];
  return Math.max(faces.filter(({ offsetTop }) => offsetTop === first?.offsetTop).length, 1);
}

import { FaceCrop } from '../../faces/face-crop.tsx';
import { Picture } from '../../lists/picture.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { coverOf, type Person } from './people-list.ts';
import { PEOPLE_MESSAGES } from './people-messages.ts';
import styles from './people.module.css';

export const PERSON_MEASURE = { minWidth: 120, ratio: 1, textHeight: 48 } as const;

/** The cover, the name and the numbers of a person. */
export function PersonTile({ person }: { readonly person: Person }) {
  const texts = useMessages(PEOPLE_MESSAGES);
  const formats = useFormats();
  const { label, detection_count: faces, pending_review_count: wait } = person;
  const url = coverOf(person);
  return (
    <span className={styles.tile}>
      {url === null ? (
        <FaceCrop url={null} alt="" />
      ) : (
        <span className={styles.cover}>
          <Picture src={url} alt="" />
        </span>
      )}
      <bdi className={styles.name} title={label}>
        {label}
      </bdi>
      <span className={styles.facts}>
        {texts.faces(formats.number(faces))}
        {wait > 0 && ` · ${texts.wait(formats.number(wait))}`}
      </span>
    </span>
  );
}

export function renderPerson(person: Person) {
  return <PersonTile person={person} />;
}

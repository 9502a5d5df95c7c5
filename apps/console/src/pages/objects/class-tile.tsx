import { Link } from '@tanstack/react-router';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Icon } from '../../ui/icon.tsx';
import { toClassPath } from './class-path.ts';
import styles from './objects.module.css';
import { OBJECTS_MESSAGES } from './objects-messages.ts';
import type { ObjectClass } from './shown-classes.ts';

export interface ClassTileProps {
  readonly objectClass: ObjectClass;
  readonly environment: string;
}

/** The cover of a class with its name and number. */
export function ClassTile({ objectClass, environment }: ClassTileProps) {
  const texts = useMessages(OBJECTS_MESSAGES);
  const formats = useFormats();
  const { class_name: name, detection_count: count, thumbnail_url: cover } = objectClass;
  return (
    <Link
      to="/$environment/objects/$class"
      params={{ environment, class: toClassPath(name) }}
      className={styles.tile}
    >
      {cover === null ? (
        <span className={styles.noCover}>
          <Icon name="objects" />
        </span>
      ) : (
        <img
          className={styles.cover}
          src={`${cover}?w=192`}
          alt=""
          loading="lazy"
          decoding="async"
        />
      )}
      <bdi className={styles.name}>{name}</bdi>
      <span className={styles.quiet}>{texts.objects(formats.number(count))}</span>
    </Link>
  );
}

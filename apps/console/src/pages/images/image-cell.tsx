import { Picture } from '../../lists/picture.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import styles from './images.module.css';
import { type ImageRow, previewOf } from './image-list.ts';
import { IMAGES_MESSAGES } from './images-messages.ts';

export const IMAGE_MEASURE = { minWidth: 140, ratio: 0.75, textHeight: 26 } as const;

/** A photo in the grid, with its reference or its date. */
export function ImageCell({ image }: { readonly image: ImageRow }) {
  const texts = useMessages(IMAGES_MESSAGES);
  const formats = useFormats();
  const { external_ref: reference, detection_count: count } = image;
  const name = reference ?? formats.dateTime(image.taken_at ?? image.uploaded_at);
  const found = formats.plural(count, {
    one: texts.foundOne,
    other: texts.foundMany(formats.number(count)),
  });
  return (
    <span className={styles.photo}>
      <span className={styles.picture}>
        <Picture src={previewOf(image)} alt={texts.imageOf(name, found)} />
        {count > 0 && (
          <span className={styles.count} aria-hidden>
            {formats.number(count)}
          </span>
        )}
      </span>
      <bdi className={styles.name}>{name}</bdi>
    </span>
  );
}

export function renderImage(image: ImageRow) {
  return <ImageCell image={image} />;
}

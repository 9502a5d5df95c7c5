import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import type { Image } from './use-decisions.ts';

export function ImageFacts({ image }: { readonly image: Image }) {
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  const { width, height, uploaded_at: uploaded, taken_at: taken } = image;
  const facts = [
    [texts.size, texts.pixels(formats.number(width), formats.number(height))],
    [texts.uploaded, formats.dateTime(uploaded)],
    [texts.taken, taken === null ? null : formats.dateTime(taken)],
    [texts.reference, image.external_ref],
    [texts.file, image.file_path],
  ] as const;
  return (
    <section aria-label={texts.facts} className={styles.group}>
      <h2>{texts.facts}</h2>
      <dl className={styles.facts}>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name} className={styles.fact}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
      <a href={image.source_image_url} target="_blank" rel="noreferrer">
        {texts.openFile}
      </a>
    </section>
  );
}

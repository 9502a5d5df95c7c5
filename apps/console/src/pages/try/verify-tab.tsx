import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Select } from '../../ui/select.tsx';
import { AnswerState } from './answer-state.tsx';
import { CodePanel } from './code-panel.tsx';
import { imageOf, type Photo } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { sampleOf } from './sample-of.ts';
import { ThresholdSlider } from './threshold-slider.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import type { VerifyTabProps } from './try-tab.ts';
import styles from './try.module.css';
import { useAnswer } from './use-answer.ts';
import { useMovedNumber } from './use-moved-number.ts';
import { Verdict } from './verdict.tsx';
import { VerifyPerson } from './verify-person.tsx';

/** Compares the largest faces of two photos, or that of one with a person. */
export function VerifyTab(props: VerifyTabProps) {
  const texts = useMessages(TRY_MESSAGES);
  const { search, onSearch } = props;
  const against = search.against ?? 'photo';
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        <Select<'photo' | 'person'>
          label={texts.compareWith}
          value={against}
          onChange={(next) => onSearch({ against: next === 'person' ? next : undefined })}
          options={[
            { value: 'photo', text: texts.otherPhoto },
            { value: 'person', text: texts.person },
          ]}
        />
      </div>
      {against === 'person' ? <VerifyPerson {...props} /> : <VerifyPhotos {...props} />}
    </div>
  );
}

function VerifyPhotos(props: VerifyTabProps) {
  const { photo, onPhoto, second, onSecond, search, onSearch } = props;
  const texts = useMessages(TRY_MESSAGES);
  const threshold = useMovedNumber(search.threshold);
  const answer = useAnswer(
    'verifyFaces',
    { first: photo?.id, second: second?.id },
    photo && second && { body: bodyOf(photo, second) },
  );
  return (
    <div className={styles.columns}>
      <PhotoField
        label={texts.firstPhoto}
        photo={photo}
        onPhoto={onPhoto}
        takesPasted={photo === null}
        marks={useMarks(answer.data?.face1)}
      />
      <PhotoField
        label={texts.secondPhoto}
        photo={second}
        onPhoto={onSecond}
        takesPasted={photo !== null}
        marks={useMarks(answer.data?.face2)}
      />
      <section className={styles.part} aria-label={texts.results}>
        <h2>{texts.results}</h2>
        <AnswerState answer={answer}>
          {({ similarity, threshold: usual, face1, face2 }) => (
            <>
              <Verdict
                similarity={similarity}
                threshold={threshold.value ?? usual}
                counts={[face1.count, face2.count]}
              />
              <ThresholdSlider
                threshold={threshold}
                usual={usual}
                onKeep={(next) => onSearch({ threshold: next })}
              />
            </>
          )}
        </AnswerState>
      </section>
      <CodePanel
        request={sampleOf('/api/verify', [photo, second], { threshold: threshold.value })}
        answer={answer.data}
      />
    </div>
  );
}

function bodyOf(first: Photo, second: Photo) {
  const [one, two] = [imageOf(first), imageOf(second)];
  return {
    file1: one.file,
    image1_url: one.image_url,
    file2: two.file,
    image2_url: two.image_url,
  };
}

/** The box of the face that was compared. */
function useMarks(
  face: { readonly bbox: { x: number; y: number; w: number; h: number } } | undefined,
) {
  const formats = useFormats();
  if (face === undefined) return [];
  return [{ key: 'face', kind: 'face' as const, bbox: face.bbox, text: formats.number(1) }];
}

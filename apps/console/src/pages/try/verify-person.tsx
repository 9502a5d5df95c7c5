import type { OperationBody } from '../../client/operations.ts';
import { useRead } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { IdentityPicker } from '../../people/identity-picker.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AnswerState } from './answer-state.tsx';
import { Cover } from './candidate-list.tsx';
import { CodePanel } from './code-panel.tsx';
import { comparePerson, largestFace } from './compare-person.ts';
import { imageOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { sampleOf } from './sample-of.ts';
import { ThresholdSlider } from './threshold-slider.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';
import { useAnswer } from './use-answer.ts';
import { useMovedNumber } from './use-moved-number.ts';
import { Verdict } from './verdict.tsx';
import type { VerifyTabProps } from './try-tab.ts';

/** The service compares a photo with people by listing the most similar; the longest list has this number of people. */
const MOST_PEOPLE = 50;

/** Compares the largest face of a photo with the references of a person. */
export function VerifyPerson({ photo, onPhoto, search, onSearch }: VerifyTabProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const threshold = useMovedNumber(search.threshold);
  const { person } = search;
  const answer = useAnswer(
    'identifyFaces',
    { photo: photo?.id, top: MOST_PEOPLE },
    photo && person !== undefined ? { query: { top_n: MOST_PEOPLE }, body: imageOf(photo) } : null,
  );
  const compared = largestFace(answer.data?.faces ?? []);
  return (
    <div className={styles.columns}>
      <PhotoField
        label={texts.firstPhoto}
        photo={photo}
        onPhoto={onPhoto}
        takesPasted
        marks={
          compared
            ? [{ key: 'face', kind: 'face', bbox: compared.bbox, text: formats.number(1) }]
            : []
        }
      />
      <section className={styles.part} aria-label={texts.who}>
        <h2>{texts.who}</h2>
        {person === undefined ? (
          <IdentityPicker
            label={texts.who}
            onPick={({ id }) => id !== null && onSearch({ person: id })}
          />
        ) : (
          <ChosenPerson person={person} onChange={() => onSearch({ person: undefined })} />
        )}
      </section>
      <section className={styles.part} aria-label={texts.results}>
        <h2>{texts.results}</h2>
        <AnswerState answer={answer}>
          {(data) => (
            <>
              <PersonVerdict
                data={data}
                person={person ?? 0}
                threshold={threshold.value ?? data.threshold}
              />
              <ThresholdSlider
                threshold={threshold}
                usual={data.threshold}
                onKeep={(next) => onSearch({ threshold: next })}
              />
            </>
          )}
        </AnswerState>
      </section>
      <CodePanel
        request={sampleOf(`/api/identify?top_n=${MOST_PEOPLE}`, [photo], {
          threshold: threshold.value,
        })}
        answer={answer.data}
      />
    </div>
  );
}

interface PersonVerdictProps {
  readonly data: OperationBody<'identifyFaces'>;
  readonly person: number;
  readonly threshold: number;
}

function PersonVerdict({ data, person, threshold }: PersonVerdictProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const face = largestFace(data.faces);
  if (face === undefined) return <p>{texts.noFaces}</p>;
  const comparison = comparePerson(face.suggestions, person, MOST_PEOPLE);
  if (comparison.name === 'no_reference') return <Notice look="warn">{texts.noReference}</Notice>;
  if (comparison.name === 'far') {
    return (
      <p role="status">
        {texts.farPerson(formats.number(MOST_PEOPLE), formats.score(comparison.below))}
      </p>
    );
  }
  return (
    <Verdict
      similarity={comparison.similarity}
      threshold={threshold}
      counts={[data.faces.length]}
    />
  );
}

interface ChosenPersonProps {
  readonly person: number;
  readonly onChange: () => void;
}

function ChosenPerson({ person, onChange }: ChosenPersonProps) {
  const texts = useMessages(TRY_MESSAGES);
  const { data, error } = useRead('getIdentity', { path: { id: person } });
  return (
    <>
      {error && <Failure error={error} />}
      {data && (
        <div className={styles.candidate}>
          <Cover person={person} />
          <bdi className={styles.name}>{data.label}</bdi>
        </div>
      )}
      <div>
        <Button onPress={onChange}>{texts.changePerson}</Button>
      </div>
    </>
  );
}

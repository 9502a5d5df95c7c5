import { useState } from 'react';
import type { OperationBody } from '../../client/operations.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { AnswerState } from './answer-state.tsx';
import { CandidateList } from './candidate-list.tsx';
import { CodePanel } from './code-panel.tsx';
import { EnrollDialog } from './enroll-dialog.tsx';
import { FoundList } from './found-list.tsx';
import { withLandmarks } from './found-marks.ts';
import { judgeFace } from './judge-face.ts';
import { imageOf, type Photo } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import { sampleOf } from './sample-of.ts';
import { StorePhoto } from './store-photo.tsx';
import { ThresholdSlider } from './threshold-slider.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import type { TryTabProps } from './try-tab.ts';
import styles from './try.module.css';
import { useAnswer } from './use-answer.ts';
import { useFaceTexts } from './use-face-texts.ts';
import { type MovedNumber, useMovedNumber } from './use-moved-number.ts';

type Identified = OperationBody<'identifyFaces'>;

const TOP = 5;

/** Shows whose faces a photo has, and how sure that is. */
export function IdentifyTab({ photo, onPhoto, search, onSearch, run, onStored }: TryTabProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const [chosen, setChosen] = useState(0);
  const threshold = useMovedNumber(search.threshold);
  const answer = useAnswer(
    'identifyFaces',
    { photo: photo?.id, top: TOP },
    photo && { query: { top_n: TOP }, body: imageOf(photo) },
  );
  const faces = answer.data?.faces ?? [];
  const marks = faces.map(({ bbox }, index) => ({
    key: String(index),
    kind: 'face' as const,
    bbox,
    text: formats.number(index + 1),
  }));
  return (
    <div className={styles.columns}>
      <PhotoField
        label={texts.photo}
        photo={photo}
        onPhoto={(next) => {
          setChosen(0);
          onPhoto(next);
        }}
        takesPasted
        marks={withLandmarks(marks, run)}
        selected={String(chosen)}
        onSelect={(key) => setChosen(Number(key))}
      />
      <section className={styles.part} aria-label={texts.results}>
        <h2>{texts.results}</h2>
        <AnswerState answer={answer}>
          {(data) => (
            <>
              <ThresholdSlider
                threshold={threshold}
                usual={data.threshold}
                onKeep={(next) => onSearch({ threshold: next })}
              />
              {photo && (
                <Faces
                  data={data}
                  threshold={threshold}
                  chosen={chosen}
                  onChoose={setChosen}
                  {...{ photo, onStored }}
                />
              )}
              {photo && <StorePhoto key={photo.id} photo={photo} run={run} onStored={onStored} />}
            </>
          )}
        </AnswerState>
      </section>
      <CodePanel
        request={sampleOf(`/api/identify?top_n=${TOP}`, [photo], { threshold: threshold.value })}
        answer={answer.data}
      />
    </div>
  );
}

interface FacesProps extends Pick<TryTabProps, 'onStored'> {
  readonly photo: Photo;
  readonly data: Identified;
  readonly threshold: MovedNumber;
  readonly chosen: number;
  readonly onChoose: (index: number) => void;
}

function Faces({ photo, data, threshold, chosen, onChoose, onStored }: FacesProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const face = data.faces[chosen];
  const [isEnrolling, setEnrolling] = useState(false);
  const { describe } = useFaceTexts();
  const least = threshold.value ?? data.threshold;
  if (face === undefined) return <p>{texts.noFaces}</p>;
  const items = data.faces.map(({ suggestions, confidence }, index) => {
    const { match, best, margin } = judgeFace(suggestions, least);
    return {
      key: String(index),
      tag: formats.number(index + 1),
      title: match?.label ?? texts.unknown,
      isName: match !== null,
      note: [
        ...(best === null ? [] : [texts.similarity(formats.score(best.similarity))]),
        ...(margin === null ? [] : [texts.margin(formats.score(margin))]),
        texts.score(formats.score(confidence)),
      ].join(' · '),
    };
  });
  const name = texts.face(formats.number(chosen + 1));
  const attributes = describe(face);
  return (
    <>
      <FoundList
        label={texts.results}
        items={items}
        selected={String(chosen)}
        onSelect={(key) => onChoose(Number(key))}
      />
      <h3>{name}</h3>
      {attributes !== '' && <p className={styles.quiet}>{attributes}</p>}
      <CandidateList label={texts.alike(name)} candidates={face.suggestions} threshold={least} />
      <div>
        <Button onPress={() => setEnrolling(true)}>{texts.enroll}</Button>
      </div>
      {isEnrolling && (
        <EnrollDialog
          photo={photo}
          box={face.bbox}
          onClose={() => setEnrolling(false)}
          onStored={onStored}
        />
      )}
    </>
  );
}

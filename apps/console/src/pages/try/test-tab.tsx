import { useState } from 'react';
import type { OperationBody } from '../../client/operations.ts';
import { type Formats } from '../../messages/formats.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Slider } from '../../ui/slider.tsx';
import { AnswerState } from './answer-state.tsx';
import { CodePanel } from './code-panel.tsx';
import { withLandmarks } from './found-marks.ts';
import { type FoundItem, FoundList } from './found-list.tsx';
import { imageOf } from './photo.ts';
import { PhotoField } from './photo-field.tsx';
import type { Mark } from './photo-view.tsx';
import { sampleOf } from './sample-of.ts';
import { StorePhoto } from './store-photo.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import type { TestedType } from './try-search.ts';
import type { TryTabProps } from './try-tab.ts';
import styles from './try.module.css';
import { useAnswer } from './use-answer.ts';
import { useMovedNumber } from './use-moved-number.ts';

type Tested = OperationBody<'testImage'>;

/** Shows what the detectors find in a photo. */
export function TestTab({ photo, onPhoto, search, onSearch, run, onStored }: TryTabProps) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const [selected, setSelected] = useState<string | null>(null);
  const score = useMovedNumber(search.score);
  const type = search.type ?? 'all';
  const answer = useAnswer(
    'testImage',
    { photo: photo?.id, type },
    photo && { body: { ...imageOf(photo), type } },
  );
  const found = answer.data
    ? foundIn(answer.data, { formats, texts }).filter(
        ({ confidence }) => confidence >= (score.value ?? 0),
      )
    : [];
  return (
    <div className={styles.columns}>
      <PhotoField
        label={texts.photo}
        photo={photo}
        onPhoto={onPhoto}
        takesPasted
        marks={withLandmarks(
          found.map(({ mark }) => mark),
          run,
        )}
        selected={selected}
        onSelect={setSelected}
      />
      <section className={styles.part} aria-label={texts.results}>
        <h2>{texts.results}</h2>
        <Select<TestedType>
          label={texts.find}
          value={type}
          onChange={(next) => onSearch({ type: next === 'all' ? undefined : next })}
          options={[
            { value: 'all', text: texts.all },
            { value: 'faces', text: texts.faces },
            { value: 'objects', text: texts.objects },
          ]}
        />
        <Slider
          label={texts.leastScore}
          min={0}
          max={1}
          step={0.01}
          value={score.value ?? 0}
          onChange={score.onChange}
          onChangeEnd={(value) => onSearch({ score: value === 0 ? undefined : value })}
        />
        <AnswerState answer={answer}>
          {(data) => (
            <>
              <MissingModels available={data.available} type={type} />
              {found.length === 0 ? (
                <p>
                  {data.counts.faces + data.counts.objects > 0 ? texts.nothingAbove : texts.nothing}
                </p>
              ) : (
                <FoundList
                  label={texts.results}
                  items={found}
                  selected={selected}
                  onSelect={setSelected}
                />
              )}
              {photo && <StorePhoto key={photo.id} photo={photo} run={run} onStored={onStored} />}
            </>
          )}
        </AnswerState>
      </section>
      <CodePanel request={sampleOf('/api/test', [photo], { type })} answer={answer.data} />
    </div>
  );
}

function MissingModels({
  available,
  type,
}: {
  readonly available: Tested['available'];
  readonly type: TestedType;
}) {
  const texts = useMessages(TRY_MESSAGES);
  return (
    <>
      {!available.faces && type !== 'objects' && <Notice look="warn">{texts.noFaceModel}</Notice>}
      {!available.objects && type !== 'faces' && <Notice look="warn">{texts.noObjectModel}</Notice>}
    </>
  );
}

interface Found extends FoundItem {
  readonly confidence: number;
  readonly mark: Mark;
}

interface Words {
  readonly formats: Formats;
  readonly texts: ReturnType<typeof useMessages<(typeof TRY_MESSAGES)['en']>>;
}

/** The faces and then the objects, numbered in this order. */
function foundIn({ faces, objects }: Tested, { formats, texts }: Words): Found[] {
  const marked = (
    item: Omit<FoundItem, 'tag'>,
    mark: Omit<Mark, 'key' | 'text'>,
    index: number,
  ) => {
    const tag = formats.number(index + 1);
    return { ...item, tag, mark: { ...mark, key: item.key, text: tag } };
  };
  return [
    ...faces.map(({ bbox, confidence, label, similarity }, index) => ({
      confidence,
      ...marked(
        {
          key: `face-${index}`,
          title: label ?? texts.unknown,
          isName: label !== null,
          note: [
            texts.score(formats.score(confidence)),
            ...(similarity === null ? [] : [texts.similarity(formats.score(similarity))]),
          ].join(' · '),
        },
        { kind: 'face', bbox },
        index,
      ),
    })),
    ...objects.map(({ bbox, confidence, class_name: name }, index) => ({
      confidence,
      ...marked(
        {
          key: `object-${index}`,
          title: name,
          isName: true,
          note: texts.score(formats.score(confidence)),
        },
        { kind: 'object', bbox },
        faces.length + index,
      ),
    })),
  ];
}

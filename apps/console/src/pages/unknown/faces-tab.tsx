import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import { usePages } from '../../client/use-pages.ts';
import { useSend } from '../../client/use-send.ts';
import { type FaceAction, FaceTiles } from '../../faces/face-tiles.tsx';
import { faceResult, skippingResult } from '../../faces/face-result.ts';
import { useResultText } from '../../faces/use-result-text.ts';
import { Empty } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { PickDialog } from '../../people/pick-dialog.tsx';
import type { PickedIdentity } from '../../people/identity-picker.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Select } from '../../ui/select.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';

const route = getRouteApi('/$environment/unknown');

/** The faces without a person, whether they are in a group or not. */
export function FacesTab() {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <>
      <Select
        label={texts.sort}
        options={[
          { value: 'quality', text: texts.byQuality },
          { value: 'newest', text: texts.byDate },
        ]}
        value={sort ?? 'quality'}
        onChange={(value) =>
          void navigate({
            search: (search) => ({ ...search, sort: value === 'newest' ? value : undefined }),
          })
        }
      />
      <p className={styles.quiet}>{sort === 'newest' ? texts.allNewest : texts.onlyWaiting}</p>
      {sort === 'newest' ? <NewestFaces /> : <BestFaces />}
    </>
  );
}

function NewestFaces() {
  const formats = useFormats();
  const pages = usePages('listUnknownFaces');
  const faces = pages.items?.map((face) => ({ ...face, note: formats.date(face.detected_at) }));
  return <UnknownFaces faces={faces} pages={pages} />;
}

function BestFaces() {
  const formats = useFormats();
  const pages = usePages('listReviewQueue', { query: { sort: 'confidence' } });
  const faces = pages.items
    ?.filter(({ current_identity: identity }) => identity === null)
    .map((face) => ({ ...face, note: formats.score(face.confidence) }));
  return <UnknownFaces faces={faces} pages={pages} />;
}

type TilesProps = Pick<React.ComponentProps<typeof FaceTiles>, 'faces' | 'pages'>;

function UnknownFaces({ faces, pages }: TilesProps) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const navigate = route.useNavigate();
  const { environment } = route.useParams();
  const { name, ignore } = useFaceActions();
  const [named, setNamed] = useState<readonly number[] | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const actions: readonly FaceAction[] = [
    { id: 'unknown.nameFaces', text: texts.name, run: setNamed },
    { id: 'unknown.ignoreFaces', text: texts.ignore, run: ignore },
  ];
  const images = new Map(
    (faces as readonly { detection_id: number; source_image_id: number }[] | undefined)?.map(
      ({ detection_id: id, source_image_id: image }) => [id, image],
    ),
  );
  return (
    <>
      {error && <Failure error={error} />}
      <FaceTiles
        label={texts.faces}
        faces={faces}
        pages={pages}
        actions={actions}
        onOpen={(id) =>
          void navigate({
            to: '/$environment/images/$image',
            params: { environment, image: String(images.get(id)) },
          })
        }
        empty={<Empty title={texts.noFaces} text={texts.noFacesText} />}
      />
      {named !== null && (
        <PickDialog
          title={texts.whoTitle(formats.number(named.length))}
          label={texts.whoLabel}
          cancelText={texts.cancel}
          onClose={() => setNamed(null)}
          onPick={(person) => {
            setNamed(null);
            name(named, person).catch((caught: unknown) => setError(caught as Error));
          }}
        />
      )}
    </>
  );
}

function useFaceActions() {
  const send = useSend();
  const texts = useMessages(UNKNOWN_MESSAGES);
  const resultText = useResultText();
  const invalidate = useInvalidate();
  const { done } = useUndoable();
  const readAgain = () =>
    invalidate(
      'listUnknownFaces',
      'listClusters',
      'countClusters',
      ...PEOPLE_READS,
      ...IMAGE_READS,
    );
  return {
    name: async (ids: readonly number[], { id, label }: PickedIdentity) => {
      const target = id === null ? { label } : { identity_id: id };
      const items = ids.map((each) => ({ detection_id: each, ...target }));
      const { body, operationId } = await send('labelDetections', { body: { items } });
      const failed = body.results.filter(({ ok }) => !ok);
      const result = faceResult(ids.length - failed.length, failed);
      const text = resultText(result, (count) => texts.named(count, label));
      done(text, operationId);
      await readAgain();
    },
    ignore: async (ids: readonly number[]) => {
      const request = { body: { detection_ids: [...ids] } };
      const { body, operationId } = await send('dismissDetections', request);
      const result = skippingResult(body.dismissed, ids.length);
      done(resultText(result, texts.ignored), operationId);
      await readAgain();
    },
  };
}

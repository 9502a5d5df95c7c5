import { Link, useNavigate, useParams, useRouter, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvalidate, useRead } from '../../client/api-context.tsx';
import { isProblem } from '../../client/api-error.ts';
import { useSend } from '../../client/use-send.ts';
import { Page } from '../../frame/page.tsx';
import { Loading } from '../../frame/page-state.tsx';
import type { CommandId } from '../../keys/commands.ts';
import type { Action } from '../../keys/keyboard.ts';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { useUndoable } from '../../undo/undo-context.tsx';
import { DeleteDialog } from '../../images/delete-dialog.tsx';
import { parseImagesSearch } from '../images/images-search.ts';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { PEOPLE_READS } from '../../people/people-reads.ts';
import { type ReprocessChoices, ReprocessDialog } from '../../images/reprocess-dialog.tsx';
import { SELECTION_MESSAGES } from '../../images/selection-messages.ts';
import { DetectionList } from './detection-list.tsx';
import { firstDraft, isTooSmall } from './draft-box.ts';
import { DraftPanel, useDraft } from './draft-panel.tsx';
import { ImageFacts } from './image-facts.tsx';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import { numberDetections } from './numbered-detections.ts';
import { PhotoStage } from './photo-stage.tsx';
import { type Image, suggestedFaces, useDecisions } from './use-decisions.ts';
import { useNeighbors } from './use-neighbors.ts';
import type { Match } from './why-unnamed.ts';

const FROM = '/$environment/images/$image';

export function ImagePage() {
  const texts = useMessages(IMAGE_MESSAGES);
  const { environment, image: id } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const image = useRead('getImage', { path: { id: Number(id) } });
  if (image.data !== undefined && !isProblem(image.error, 'not_found')) {
    return <OpenImage key={id} image={image.data} />;
  }
  return (
    <Page title={texts.title(id)}>
      {image.error === null ? (
        <Loading />
      ) : (
        <>
          <Failure error={image.error} onRetry={() => void image.refetch()} />
          <p>
            <Link
              to="/$environment/images"
              params={{ environment }}
              search={parseImagesSearch({ ...search })}
              className={buttonClass()}
            >
              {texts.goBack}
            </Link>
          </p>
        </>
      )}
    </Page>
  );
}

function OpenImage({ image }: { readonly image: Image }) {
  const texts = useMessages(IMAGE_MESSAGES);
  const search = useSearch({ from: FROM });
  const navigation = useImageNavigation(image);
  const decisions = useDecisions(image, navigation.leave);
  const drawing = useDraft();
  const [dialog, setDialog] = useState<'delete' | 'reprocess' | null>(null);
  const [matches, setMatches] = useState<ReadonlyMap<number, Match>>(new Map());
  const detections = numberDetections(image);
  const chosen = detections.some(({ detection }) => detection.id === search.detection)
    ? search.detection
    : undefined;
  const name = image.external_ref ?? String(image.id);
  const startDrawing = () => drawing.setDraft(drawing.draft ?? firstDraft(image));
  const save = () => {
    if (drawing.draft === null || isTooSmall(drawing.draft)) return;
    decisions.draw({ ...drawing.choices, bbox: drawing.draft }, drawing.cancel);
  };
  return (
    <Page
      title={texts.title(name)}
      isFilled
      actions={
        <ImageActions
          image={image}
          navigation={navigation}
          hasChosen={chosen !== undefined || drawing.draft !== null}
          onDraw={startDrawing}
          onConfirmAll={decisions.confirmAll}
          onDialog={setDialog}
        />
      }
    >
      {decisions.decision.error && <Failure error={decisions.decision.error} />}
      <div className={styles.columns}>
        <PhotoStage
          image={image}
          name={name}
          detections={detections}
          chosen={chosen}
          onChoose={navigation.choose}
          draft={drawing.draft}
          onDraft={drawing.setDraft}
          onSave={save}
          onCancel={drawing.cancel}
        />
        <div className={styles.side}>
          {drawing.draft !== null && (
            <DraftPanel
              draft={drawing.draft}
              {...drawing.choices}
              onChange={drawing.setChoices}
              onSave={save}
              onCancel={drawing.cancel}
            />
          )}
          <DetectionList
            detections={detections}
            chosen={drawing.draft === null ? chosen : undefined}
            onChoose={navigation.choose}
            decisions={decisions}
            matches={matches}
          />
          <ImageFacts image={image} />
        </div>
      </div>
      <ImageDialogs
        dialog={dialog}
        image={image}
        onClose={() => setDialog(null)}
        onDeleted={navigation.leave}
        onMatches={setMatches}
      />
    </Page>
  );
}

function useImageNavigation(image: Image) {
  const { environment } = useParams({ from: FROM });
  const search = useSearch({ from: FROM });
  const navigate = useNavigate({ from: FROM });
  const router = useRouter();
  const { previous, next } = useNeighbors(image, search);
  const goTo = (id: number | null) => {
    if (id === null) return;
    const params = { environment, image: String(id) };
    // Back leads to the list, however many images were looked at.
    const list = parseImagesSearch({ ...search });
    void navigate({ to: FROM, params, search: list, replace: true, state: true });
  };
  const leave = () => {
    if (router.latestLocation.state.isFromList === true) router.history.back();
    else {
      const list = parseImagesSearch({ ...search });
      void navigate({ to: '/$environment/images', params: { environment }, search: list });
    }
  };
  return {
    previous,
    next,
    goTo,
    leave,
    choose: (id: number) => {
      const detection = id === search.detection ? undefined : id;
      void navigate({ to: '.', search: { ...search, detection }, replace: true, state: true });
    },
  };
}

interface ImageActionsProps {
  readonly image: Image;
  readonly navigation: ReturnType<typeof useImageNavigation>;
  /** Whether Delete and Esc are about a box. */
  readonly hasChosen: boolean;
  readonly onDraw: () => void;
  readonly onConfirmAll: () => void;
  readonly onDialog: (dialog: 'delete' | 'reprocess') => void;
}

function ImageActions(props: ImageActionsProps) {
  const { image, navigation, hasChosen, onDraw, onConfirmAll, onDialog } = props;
  const { previous, next, goTo, leave } = navigation;
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  const suggested = suggestedFaces(image).length;
  const actions: readonly (Action & { readonly id: CommandId })[] = [
    { id: 'image.back', label: texts.back, run: leave },
    {
      id: 'image.previous',
      label: texts.previous,
      run: () => goTo(previous),
      isDisabled: previous === null,
    },
    { id: 'image.next', label: texts.next, run: () => goTo(next), isDisabled: next === null },
    {
      id: 'image.confirmAll',
      label: texts.confirmAll,
      run: onConfirmAll,
      isDisabled: suggested === 0,
    },
    { id: 'image.draw', label: texts.draw, run: onDraw },
    { id: 'image.reprocess', label: texts.reprocess, run: () => onDialog('reprocess') },
    { id: 'image.delete', label: texts.deleteImage, run: () => onDialog('delete') },
  ];
  const hasKey = (id: CommandId) => !(hasChosen && id === 'image.delete');
  useCommands(actions.filter(({ id }) => hasKey(id)));
  return actions.map(({ id, label, run, isDisabled = false }) => (
    <Button key={id} shortcut={hasKey(id) ? id : null} isDisabled={isDisabled} onPress={run}>
      {label}
      {id === 'image.confirmAll' && suggested > 0 && ` ${formats.number(suggested)}`}
    </Button>
  ));
}

interface ImageDialogsProps {
  readonly dialog: 'delete' | 'reprocess' | null;
  readonly image: Image;
  readonly onClose: () => void;
  readonly onDeleted: () => void;
  readonly onMatches: (matches: ReadonlyMap<number, Match>) => void;
}

function ImageDialogs({ dialog, image, onClose, onDeleted, onMatches }: ImageDialogsProps) {
  const reprocess = useReprocess(image, onMatches);
  const target = { kind: 'some', ids: [image.id], found: image.detection_count } as const;
  if (dialog === 'delete') {
    return (
      <DeleteDialog
        target={target}
        onDeleted={onDeleted}
        onJob={() => undefined}
        onClose={onClose}
      />
    );
  }
  return dialog === null ? null : (
    <ReprocessDialog target={target} start={reprocess} onClose={onClose} />
  );
}

/** Runs the models on the image at once, because the answer tells what each face is most like. */
function useReprocess(image: Image, onMatches: ImageDialogsProps['onMatches']) {
  const send = useSend();
  const texts = useMessages(SELECTION_MESSAGES);
  const { done } = useUndoable();
  const detail = useRead('getImage', { path: { id: image.id } });
  const invalidate = useInvalidate();
  return async (query: ReprocessChoices) => {
    const { body, operationId } = await send('reprocessImage', { path: { id: image.id }, query });
    const faces = 'faces' in body ? body.faces : [];
    onMatches(
      new Map(
        faces.flatMap(({ detection_id: id, suggestions: [best] }) =>
          best === undefined ? [] : [[id, best] as const],
        ),
      ),
    );
    done(texts.reprocessed(texts.oneImage), operationId);
    await Promise.all([detail.refetch(), invalidate(...IMAGE_READS, ...PEOPLE_READS)]);
  };
}

import { type PointerEvent, useRef, useState } from 'react';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { type Box, draftBetween, placeOf } from './draft-box.ts';
import { DraftFrame } from './draft-frame.tsx';
import styles from './image.module.css';
import { IMAGE_MESSAGES } from './image-messages.ts';
import type { NumberedDetection } from './numbered-detections.ts';
import type { Image } from './use-decisions.ts';
import { useZoom } from './use-zoom.ts';

/** The width of the smaller rendition of a source, in px. */
const SMALL = 768;

export interface PhotoStageProps {
  readonly image: Image;
  readonly name: string;
  readonly detections: readonly NumberedDetection[];
  readonly chosen: number | undefined;
  readonly onChoose: (id: number) => void;
  /** The box that is being drawn; null if none is. */
  readonly draft: Box | null;
  readonly onDraft: (box: Box) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

/** The photo with its boxes. It can be enlarged while a box is drawn. */
export function PhotoStage(props: PhotoStageProps) {
  const { image, name, detections, chosen, onChoose, draft, onDraft, onSave, onCancel } = props;
  const texts = useMessages(IMAGE_MESSAGES);
  const frame = useRef<HTMLDivElement>(null);
  const zoom = useZoom(frame, image);
  const pointer = useDrawing(image, draft === null ? null : onDraft);
  const url = image.source_image_url;
  return (
    <div className={styles.stage}>
      <ZoomButtons {...zoom} />
      {/* The frame scrolls when the photo is enlarged, so the keyboard has to reach it. */}
      <div ref={frame} className={styles.frame} tabIndex={0} role="region" aria-label={texts.stage}>
        <div
          className={styles.photo}
          style={{ width: zoom.width, aspectRatio: `${image.width} / ${image.height}` }}
          data-drawing={draft !== null || undefined}
          {...pointer}
        >
          {zoom.width > 0 && (
            <img
              className={styles.image}
              src={zoom.width > SMALL ? url : `${url}?w=${SMALL}`}
              alt={texts.photo(name)}
              draggable={false}
            />
          )}
          {detections.map(({ detection, number, kind }) => (
            // The list beside the photo has a button for each box.
            <div
              key={detection.id}
              className={styles.box}
              style={placeOf(detection.bbox, image)}
              data-kind={kind}
              data-chosen={detection.id === chosen || undefined}
              onClick={() => onChoose(detection.id)}
              aria-hidden
            >
              <span className={styles.number}>{number}</span>
            </div>
          ))}
          {draft !== null && <DraftFrame {...{ draft, image, onDraft, onSave, onCancel }} />}
        </div>
      </div>
    </div>
  );
}

function ZoomButtons({ zoom, zoomIn, zoomOut, fit }: ReturnType<typeof useZoom>) {
  const texts = useMessages(IMAGE_MESSAGES);
  const formats = useFormats();
  useCommands([
    { id: 'image.zoomIn', label: texts.zoomIn, run: zoomIn },
    { id: 'image.zoomOut', label: texts.zoomOut, run: zoomOut },
    { id: 'image.fit', label: texts.zoomFit, run: fit },
  ]);
  return (
    <div className={styles.zoom}>
      <Button shortcut="image.zoomOut" onPress={zoomOut} isDisabled={zoom <= 1}>
        {texts.zoomOut}
      </Button>
      <span className={styles.percent}>{formats.percent(zoom)}</span>
      <Button shortcut="image.zoomIn" onPress={zoomIn} isDisabled={zoom >= 8}>
        {texts.zoomIn}
      </Button>
      <Button shortcut="image.fit" onPress={fit}>
        {texts.zoomFit}
      </Button>
    </div>
  );
}

/** Draws with the pointer: from where it is pressed to where it is released. */
function useDrawing(image: Image, onDraft: ((box: Box) => void) | null) {
  const [start, setStart] = useState<{ readonly x: number; readonly y: number } | null>(null);
  if (onDraft === null) return {};
  const pointOf = (event: PointerEvent<HTMLElement>) => {
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect();
    return {
      x: ((event.clientX - left) / width) * image.width,
      y: ((event.clientY - top) / height) * image.height,
    };
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.preventDefault();
      event.currentTarget.setPointerCapture(event.pointerId);
      setStart(pointOf(event));
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (start !== null) onDraft(draftBetween(start, pointOf(event), image));
    },
    onPointerUp: () => setStart(null),
    onPointerCancel: () => setStart(null),
  };
}

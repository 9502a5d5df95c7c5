import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { useElementSize } from '../../lists/use-element-size.ts';
import type { Size } from './draft-box.ts';

const STEP = 1.5;
/** 800 %. */
const MAX_ZOOM = 8;

/** The width of the shown photo in px. At first the whole photo fits its frame; the middle stays when it is enlarged. */
export function useZoom(frame: RefObject<HTMLElement | null>, image: Size) {
  const [zoom, setZoom] = useState(1);
  const size = useElementSize(frame);
  const fitting =
    size === null ? 0 : Math.min(size.width, (size.height * image.width) / image.height);
  const width = Math.floor(fitting * zoom);
  const shown = useRef(width);
  useLayoutEffect(() => {
    const box = frame.current;
    const former = shown.current;
    shown.current = width;
    if (box === null || former === 0 || former === width) return;
    const factor = width / former;
    scrollBy(box, factor);
  }, [frame, width]);
  const zoomBy = (factor: number) =>
    setZoom((last) => Math.max(1, Math.min(last * factor, MAX_ZOOM)));
  return {
    zoom,
    width,
    zoomIn: () => zoomBy(STEP),
    zoomOut: () => zoomBy(1 / STEP),
    fit: () => setZoom(1),
  };
}

function scrollBy(box: HTMLElement, factor: number): void {
  const { scrollLeft, scrollTop, clientWidth, clientHeight } = box;
  box.scrollLeft = (scrollLeft + clientWidth / 2) * factor - clientWidth / 2;
  box.scrollTop = (scrollTop + clientHeight / 2) * factor - clientHeight / 2;
}

import type { RequestLog } from '../client/request-log.ts';
import { KeyList } from './key-list.tsx';
import { Palette } from './palette.tsx';
import { RequestPanel } from './request-panel.tsx';

export type ShownOverlay = 'keys' | 'requests' | 'search';

export interface OverlayProps {
  readonly shown: ShownOverlay;
  readonly environment: string;
  readonly log: RequestLog;
  readonly onClose: () => void;
}

/** The overlay that the frame shows above a page. */
export function Overlay({ shown, environment, log, onClose }: OverlayProps) {
  switch (shown) {
    case 'keys':
      return <KeyList onClose={onClose} />;
    case 'requests':
      return <RequestPanel log={log} onClose={onClose} />;
    case 'search':
      return <Palette environment={environment} opener="frame.search" onClose={onClose} />;
  }
}

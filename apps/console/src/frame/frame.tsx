import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useApi } from '../client/api-context.tsx';
import type { RequestLog } from '../client/request-log.ts';
import { useCommands } from '../keys/keyboard-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { environmentsQuery, sessionQuery } from '../session/session.ts';
import { useRole } from '../session/use-rights.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useDroppedFiles } from '../uploads/use-dropped-files.ts';
import { UNDO_MESSAGES, useUndo } from '../undo/undo-context.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ActionBar } from './action-bar.tsx';
import { ActionSlotProvider } from './action-slot.tsx';
import { EnvironmentPicker } from './environment-picker.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import styles from './frame.module.css';
import { LeaveGuard } from './leave-guard.tsx';
import { Navigation } from './navigation.tsx';
import type { ShownOverlay } from './overlay.tsx';
import { useShownPages } from './use-shown-pages.ts';

/** The code of the overlays is not part of the first script, but is there before most people can ask for it. */
const loadOverlay = async () => ({ default: (await import('./overlay.tsx')).Overlay });
const Overlay = lazy(loadOverlay);
const OVERLAY_AFTER_MS = 1_000;

export interface FrameProps {
  readonly environment: string;
  readonly log: RequestLog;
  readonly children: ReactNode;
}

/** The surroundings of each page of an environment. */
export function Frame({ environment, log, children }: FrameProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const [open, setOpen] = useState<ShownOverlay | null>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const close = () => setOpen(null);
  useFrameCommands(environment, setOpen);
  useDroppedFiles(environment);
  useEffect(() => {
    const timer = setTimeout(() => void loadOverlay(), OVERLAY_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        {texts.skip}
      </a>
      <Top environment={environment} onShow={setOpen} />
      <Navigation environment={environment} />
      <main className={styles.main} id="content" tabIndex={-1}>
        <ActionSlotProvider value={slot}>{children}</ActionSlotProvider>
      </main>
      <ActionBar environment={environment} slot={setSlot} />
      <LeaveGuard environment={environment} />
      {open !== null && (
        <Suspense>
          <Overlay shown={open} log={log} environment={environment} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}

interface TopProps {
  readonly environment: string;
  readonly onShow: (shown: ShownOverlay) => void;
}

function Top({ environment, onShow }: TopProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const api = useApi();
  const router = useRouter();
  const session = useQuery(sessionQuery(api));
  const environments = useQuery(environmentsQuery(api));
  const role = useRole();
  return (
    <header className={styles.top}>
      <Link to="/$environment/overview" params={{ environment }} className={styles.brand}>
        <img src="/console/favicon.svg" alt="" width="24" height="24" />
        Sightline
      </Link>
      {environments.data && (
        <EnvironmentPicker
          environments={environments.data.items}
          selected={Number(environment)}
          onSelect={(id) =>
            void router.navigate({
              to: '/$environment/overview',
              params: { environment: String(id) },
            })
          }
        />
      )}
      {role === 'viewer' && <p className={styles.role}>{texts.viewerOnly}</p>}
      <div className={styles.end}>
        <Button look="quiet" shortcut="frame.search" onPress={() => onShow('search')}>
          <Icon name="search" />
          {texts.search}
        </Button>
        <Button look="quiet" onPress={() => onShow('requests')}>
          <Icon name="code" />
          {texts.api}
        </Button>
        <AccountMenu
          email={session.data?.user.email ?? ''}
          onShowAccount={() =>
            void router.navigate({ to: '/$environment/account', params: { environment } })
          }
          onShowKeys={() => onShow('keys')}
          onSignOut={() => void router.navigate({ to: '/sign-out' })}
        />
      </div>
    </header>
  );
}

function useFrameCommands(environment: string, show: (shown: ShownOverlay) => void): void {
  const texts = useMessages(FRAME_MESSAGES);
  const undoTexts = useMessages(UNDO_MESSAGES);
  const router = useRouter();
  const pages = useShownPages();
  const { lastDone, lastUndone, undo, redo } = useUndo();
  useCommands([
    { id: 'frame.keys', label: texts.keys, run: () => show('keys') },
    { id: 'frame.search', label: texts.search, run: () => show('search') },
    ...pages.map(({ name, to }) => ({
      id: `frame.go.${name}` as const,
      label: texts.goTo(texts[name]),
      run: () => void router.navigate({ to, params: { environment } }),
    })),
    {
      id: 'frame.undo',
      label: undoTexts.undo,
      run: () => void undo(),
      isDisabled: lastDone === null,
    },
    {
      id: 'frame.redo',
      label: undoTexts.redo,
      run: () => void redo(),
      isDisabled: lastUndone === null,
    },
  ]);
}

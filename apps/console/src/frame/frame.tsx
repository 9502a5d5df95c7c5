import { useQuery } from '@tanstack/react-query';
import { Link, useRouter } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useApi } from '../client/api-context.tsx';
import type { RequestLog } from '../client/request-log.ts';
import { useCommands } from '../keys/keyboard-context.tsx';
import { useMessages } from '../messages/locale-context.tsx';
import { environmentsQuery, sessionQuery } from '../session/session.ts';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { useDroppedFiles } from '../uploads/use-dropped-files.ts';
import { UNDO_MESSAGES, useUndo } from '../undo/changes-context.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ActionBar } from './action-bar.tsx';
import { ActionSlotProvider } from './action-slot.tsx';
import { EnvironmentPicker } from './environment-picker.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import styles from './frame.module.css';
import { KeyList } from './key-list.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { Navigation } from './navigation.tsx';
import { RequestPanel } from './request-panel.tsx';
import { useShownPages } from './use-shown-pages.ts';

/** The code of the search is not part of the first script, but is there before most people can ask for it. */
const loadPalette = async () => ({ default: (await import('./palette.tsx')).Palette });
const Palette = lazy(loadPalette);
const PALETTE_AFTER_MS = 1_000;

type Shown = 'keys' | 'requests' | 'search';

const SEARCH = 'frame.search';

export interface FrameProps {
  readonly environment: string;
  readonly log: RequestLog;
  readonly children: ReactNode;
}

/** The surroundings of each page of an environment. */
export function Frame({ environment, log, children }: FrameProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const [open, setOpen] = useState<Shown | null>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const close = () => setOpen(null);
  useFrameCommands(environment, setOpen);
  useDroppedFiles(environment);
  useEffect(() => {
    const timer = setTimeout(() => void loadPalette(), PALETTE_AFTER_MS);
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
      <ActionBar slot={setSlot} />
      <LeaveGuard environment={environment} />
      <KeyList isOpen={open === 'keys'} onClose={close} />
      {open === 'search' && (
        <Suspense>
          <Palette environment={environment} opener={SEARCH} onClose={close} />
        </Suspense>
      )}
      <RequestPanel log={log} isOpen={open === 'requests'} onClose={close} />
    </div>
  );
}

interface TopProps {
  readonly environment: string;
  readonly onShow: (shown: Shown) => void;
}

function Top({ environment, onShow }: TopProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const api = useApi();
  const router = useRouter();
  const session = useQuery(sessionQuery(api));
  const environments = useQuery(environmentsQuery(api));
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
      <div className={styles.end}>
        <Button look="quiet" shortcut={SEARCH} onPress={() => onShow('search')}>
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

function useFrameCommands(environment: string, show: (shown: Shown) => void): void {
  const texts = useMessages(FRAME_MESSAGES);
  const undoTexts = useMessages(UNDO_MESSAGES);
  const router = useRouter();
  const pages = useShownPages();
  const { lastDone, lastUndone, undo, redo } = useUndo();
  useCommands([
    { id: 'frame.keys', label: texts.keys, run: () => show('keys') },
    { id: SEARCH, label: texts.search, run: () => show('search') },
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

/** The requests of a page are those since the last navigation. */
export function useLogOfPage(log: RequestLog): void {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (pathChanged) log.clear();
      }),
    [router, log],
  );
}

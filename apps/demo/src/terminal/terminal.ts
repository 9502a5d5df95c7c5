/** How a kind of text looks where colours may be used: the SGR code before it. */
const STYLES = { bold: 1, dim: 2, green: 32, yellow: 33, cyan: 36 } as const;

export type Style = keyof typeof STYLES;

/** What the demo needs of a stream of text. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Lines for the person who looks on. */
export interface Terminal {
  line(text?: string): void;
  heading(text: string): void;
  /** A text in a colour, or as it is where colours are not wanted. */
  styled(style: Style, text: string): string;
  /** A state that the next one, or the next line, replaces; only where a person looks on. */
  state(text: string): void;
}

/** Colours only on a terminal, and not if NO_COLOR is set (no-color.org). */
export function createTerminal(
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Terminal {
  const interactive = output.isTTY === true;
  const noColour = (environment.NO_COLOR ?? '') !== '';
  const coloured = interactive && !noColour && environment.TERM !== 'dumb';
  const styled: Terminal['styled'] = (style, text) =>
    coloured ? `\u001b[${STYLES[style]}m${text}\u001b[0m` : text;
  let stateShown = false;
  const clear = (): void => {
    if (stateShown) output.write('\r\u001b[K');
    stateShown = false;
  };
  const line = (text = ''): void => {
    clear();
    output.write(`${text}\n`);
  };
  return {
    line,
    styled,
    heading: (text) => {
      line();
      line(styled('bold', text));
    },
    state: (text) => {
      if (!interactive) return;
      clear();
      output.write(text);
      stateShown = true;
    },
  };
}

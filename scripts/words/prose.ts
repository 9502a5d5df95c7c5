import { basename, extname } from 'node:path';
import ts from 'typescript';

/** A text for people in a file. */
export interface Prose {
  /** The number of the first line, from 1. */
  readonly line: number;
  /** The text in one line, without comment markers. */
  readonly text: string;
  /** Whether the text begins a sentence or is a noun phrase, so that its first word is checked too. */
  readonly isSentence: boolean;
}

/**
 * Returns the prose of a file: comments and messages of TypeScript and JavaScript, comments and values of
 * YAML and JSON, comments of scripts, and paragraphs of Markdown and text files. Other files have no prose.
 */
export function proseOf(path: string, source: string): Prose[] {
  const type = typeOf(path);
  if (type === 'code') return [...commentsOf(path, source), ...messagesOf(path, source)];
  if (type === 'script') return hashComments(source);
  if (type === 'values') return [...hashComments(source), ...values(source)];
  return type === 'text' ? paragraphs(source) : [];
}

const TYPES: Readonly<Record<string, 'code' | 'script' | 'values' | 'text'>> = {
  '.ts': 'code',
  '.tsx': 'code',
  '.js': 'code',
  '.cjs': 'code',
  '.sh': 'script',
  '.tpl': 'values',
  '.yaml': 'values',
  '.yml': 'values',
  '.json': 'values',
  '.md': 'text',
  '.txt': 'text',
};

const SCRIPTS = [
  'Makefile',
  'Dockerfile',
  'run',
  'find-chromium',
  'install-chromium',
  'install-tools',
  'link-servers',
  'node-path',
];

function typeOf(path: string) {
  return SCRIPTS.includes(basename(path)) ? 'script' : TYPES[extname(path)];
}

function commentsOf(path: string, source: string): Prose[] {
  const file = parse(path, source);
  return nodesOf(file)
    .filter((node) => node.getChildCount(file) === 0)
    .flatMap((token) => commentsIn(source, token.getFullStart(), token.getStart(file)))
    .flatMap(({ start, text }) => byTag(text, lineAt(source, start)));
}

function parse(path: string, source: string): ts.SourceFile {
  return ts.createSourceFile(path, source, ts.ScriptTarget.Latest, false);
}

/**
 * Returns all nodes and tokens. Between the full start and the start of a token there are only comments and
 * blanks.
 */
function nodesOf(file: ts.SourceFile): ts.Node[] {
  const nodes: ts.Node[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return;
    nodes.push(node);
    for (const child of node.getChildren(file)) visit(child);
  };
  visit(file);
  return nodes;
}

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/g;

function commentsIn(source: string, from: number, to: number) {
  return [...source.slice(from, to).matchAll(COMMENT)].map((match) => ({
    start: from + match.index,
    text: match[0]
      .replace(/^\/\*+|\*\/$/g, '')
      .replace(/^[ \t]*(\/\/|\*)/gm, '')
      .replace(/^[ \t]+/gm, ''),
  }));
}

/** The parts of a docstring: the text before its tags, and the text of each tag. */
function byTag(text: string, line: number): Prose[] {
  return text.split(/^@\w+/m).flatMap((part) => prose(line, part, true));
}

/**
 * Returns the string literals of more than three words that begin with a capital: descriptions, logs, errors. SQL is
 * left out: its first word, such as SELECT, has a second capital.
 */
function messagesOf(path: string, source: string): Prose[] {
  const file = parse(path, source);
  return nodesOf(file).flatMap((node) => {
    const text = literalText(node);
    const isMessage = /^[A-Z][^A-Z]/.test(text) && text.split(' ').length > 3;
    return isMessage ? prose(lineAt(source, node.getStart(file)), text, true) : [];
  });
}

/** The text of a string or template, with a name in place of each expression; empty for other nodes. */
function literalText(node: ts.Node): string {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (!ts.isTemplateExpression(node)) return '';
  return node.head.text + node.templateSpans.map(({ literal }) => `\`x\`${literal.text}`).join('');
}

/** Returns the comments that begin with `#`, and joins adjacent lines. */
function hashComments(source: string): Prose[] {
  const found: Prose[] = [];
  let block: { line: number; texts: string[] } | null = null;
  const close = () => {
    if (block) found.push(...prose(block.line, block.texts.join('\n'), true));
    block = null;
  };
  for (const [index, line] of source.split('\n').entries()) {
    const whole = /^\s*#+(?!!)\s?(.*)$/.exec(line);
    const trailing = /\s#+\s(.*)$/.exec(line);
    if (whole && whole[1] !== '') {
      block ??= { line: index + 1, texts: [] };
      block.texts.push(whole[1] ?? '');
      continue;
    }
    close();
    if (!whole && trailing) found.push(...prose(index + 1, trailing[1] ?? '', true));
  }
  close();
  return found;
}

/** Returns the lines without comments as plain text. */
function values(source: string): Prose[] {
  return source
    .split('\n')
    .flatMap((line, index) => (/^\s*#/.test(line) ? [] : prose(index + 1, line, false)));
}

function paragraphs(source: string): Prose[] {
  const found: Prose[] = [];
  let line = 1;
  const withoutCode = source.replace(/^( *)```[\s\S]*?^\1```/gm, (code) =>
    code.replace(/[^\n]/g, ''),
  );
  for (const block of withoutCode.split(/\n(?=\s*\n|\s*[-*|] |\s*\d+\. |#)/)) {
    const start = line + (/^\s*\n/.exec(block)?.[0].split('\n').length ?? 1) - 1;
    const text = block.replace(/^\s*([-*]|\d+\.)\s+/, '').trim();
    found.push(...prose(start, text, !/^[#|]/.test(text)));
    line += block.split('\n').length;
  }
  return found;
}

function prose(line: number, text: string, isSentence: boolean): Prose[] {
  const inOneLine = text.replace(/\s+/g, ' ').trim();
  return inOneLine === '' ? [] : [{ line, text: inOneLine, isSentence }];
}

function lineAt(source: string, position: number): number {
  return source.slice(0, position).split('\n').length;
}

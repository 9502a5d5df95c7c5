import { expect, test } from '@jest/globals';
import { droppedFiles } from './dropped-files.ts';

type Entry = Pick<FileSystemEntry, 'name' | 'isFile' | 'isDirectory'>;

const fileEntry = (name: string): Entry =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (found: (file: File) => void) => found(new File(['x'], name)),
  }) as unknown as Entry;

const lockedEntry = (name: string): Entry =>
  ({
    name,
    isFile: true,
    isDirectory: false,
    file: (_: unknown, failed: (error: Error) => void) => failed(new Error('locked')),
  }) as unknown as Entry;

/** A folder whose entries come in parts, as in a browser. */
const folderEntry = (name: string, ...parts: Entry[][]): Entry =>
  ({
    name,
    isFile: false,
    isDirectory: true,
    createReader: () => {
      const left = [...parts];
      return { readEntries: (found: (part: Entry[]) => void) => found(left.shift() ?? []) };
    },
  }) as unknown as Entry;

const drop = (entries: readonly Entry[], files: readonly File[] = []) =>
  droppedFiles({
    items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })),
    files,
  } as unknown as DataTransfer);

test('folders are read to their ends, and files that are locked stop nothing', async () => {
  const found = await drop([
    fileEntry('1.jpg'),
    folderEntry(
      'photos',
      [fileEntry('2.jpg'), folderEntry('empty'), lockedEntry('3.jpg')],
      [folderEntry('inner', [fileEntry('4.jpg')]), fileEntry('صورة 📷.jpg')],
    ),
  ]);
  expect(found.map(({ name, file }) => [name, file?.name])).toEqual([
    ['1.jpg', '1.jpg'],
    ['2.jpg', '2.jpg'],
    ['3.jpg', undefined],
    ['4.jpg', '4.jpg'],
    ['صورة 📷.jpg', 'صورة 📷.jpg'],
  ]);
});

test('programs that drop files without entries are understood', async () => {
  expect(await drop([], [new File(['x'], 'a.jpg')])).toMatchObject([{ name: 'a.jpg' }]);
});

import type { UploadSource } from './upload.ts';

/** All files of a drop, those in folders included. A file that cannot be read is there without its bytes. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<UploadSource[]> {
  const entries = [...items]
    .map((item) => item.webkitGetAsEntry())
    .filter((entry) => entry !== null);
  // Some programs drop files without entries.
  if (entries.length === 0) return [...files].map((file) => ({ name: file.name, file }));
  const found: UploadSource[] = [];
  for (const entry of entries) await collect(entry, found);
  return found;
}

async function collect(entry: FileSystemEntry, found: UploadSource[]): Promise<void> {
  try {
    if (isFile(entry)) {
      const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
      found.push({ name: file.name, file });
    } else if (isFolder(entry)) {
      for await (const each of entriesOf(entry)) await collect(each, found);
    }
  } catch {
    found.push({ name: entry.name });
  }
}

/** A browser gives the entries of a folder in parts of at most a hundred. */
async function* entriesOf(folder: FileSystemDirectoryEntry): AsyncGenerator<FileSystemEntry> {
  const reader = folder.createReader();
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (part.length === 0) return;
    yield* part;
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

/** The photo of an upload: a file, or an address from which the service fetches it. */
export interface UploadSource {
  readonly name: string;
  /** The file; absent for an address, and for a file that cannot be read. */
  readonly file?: File;
  readonly url?: string;
}

/**
 * The choices about a photo. They are made when the photo is added, so that a repeated request is the same.
 */
export interface UploadChoices {
  readonly detect: 'faces' | 'objects' | 'all';
  /** Whether the name of the file becomes the external_ref of the image. */
  readonly namesAreRefs: boolean;
  /** Whether earlier detections of a photo that is stored already are removed. */
  readonly replaces: boolean;
}

export const USUAL_CHOICES: UploadChoices = {
  detect: 'all',
  namesAreRefs: false,
  replaces: false,
};

/** A photo on its way to the service. */
export interface Upload {
  readonly id: number;
  readonly source: UploadSource;
  readonly choices: UploadChoices;
  /** The key that makes a repeated request harmless. */
  readonly key: string;
  readonly state: UploadState;
  /** Whether it is sent in a request of its own, because one with others was refused. */
  readonly isAlone: boolean;
}

export type UploadState =
  | { readonly name: 'waiting' }
  | { readonly name: 'sending' }
  /** A job of the service has it. */
  | { readonly name: 'queued' }
  | { readonly name: 'stored'; readonly stored: StoredPhoto }
  | { readonly name: 'failed'; readonly error: Error };

export interface StoredPhoto {
  readonly imageId: number;
  readonly faces: number;
  readonly objects: number;
  /** Whether the service had the photo already, as far as it says. */
  readonly isKnown: boolean;
}

export function filesToSources(files: Iterable<File>): UploadSource[] {
  return [...files].map((file) => ({ name: file.name, file }));
}

export function addressesToSources(addresses: readonly string[]): UploadSource[] {
  return addresses.map((url) => ({ name: url, url }));
}

export type Upload = {
  /** The letter `u` and 32 hexadecimal digits. */
  readonly id: string;
  readonly file_name: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Relative to the upload area. */
  readonly path: string;
  readonly created_by: string;
  readonly created_at: string;
};

export type UploadStore = {
  readonly create: (upload: Omit<Upload, 'id' | 'created_at'>) => Promise<Upload>;
  readonly list: () => Promise<readonly Upload[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<Upload>;
  /** @throws MetadataMissing */
  readonly delete: (id: string) => Promise<void>;
};

/** The platform's own values, such as the key that signs its tokens. */
export type SettingStore = {
  readonly get: (key: string) => Promise<string | undefined>;
  readonly set: (key: string, value: string) => Promise<void>;
  /** Stores the value unless the key has one, and returns the one that stands: two processes that start at once agree. */
  readonly setIfAbsent: (key: string, value: string) => Promise<string>;
};

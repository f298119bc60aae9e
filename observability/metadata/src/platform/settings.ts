// SPDX-License-Identifier: Apache-2.0
import type { PlatformScope } from '../database/scope.ts';

/** The platform's own values, such as the key that signs its tokens. */
export type SettingStore = {
  readonly get: (key: string) => Promise<string | undefined>;
  readonly set: (key: string, value: string) => Promise<void>;
  /** Stores the value unless the key has one, and returns the one that stands: two processes that start at once agree. */
  readonly setIfAbsent: (key: string, value: string) => Promise<string>;
};

export function settingStore({ db }: PlatformScope): SettingStore {
  const get = async (key: string) => {
    const row = await db.selectFrom('settings').select('value').where('key', '=', key).executeTakeFirst();
    return row?.value;
  };
  return {
    get,
    set: async (key, value) => {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
        .execute();
    },
    setIfAbsent: async (key, value) => {
      await db
        .insertInto('settings')
        .values({ key, value })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
      return (await get(key)) ?? value;
    },
  };
}

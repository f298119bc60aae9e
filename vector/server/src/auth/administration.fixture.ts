// SPDX-License-Identifier: Apache-2.0
/** Authentication on a folder of its own, which a test can open again as a restart does. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Requirement } from '@sextant/contracts-vector';
import type { PasswordCost } from '@sextant/foundation-service';
import { manualClock } from '@sextant/foundation-std';
import { openSystemStorage } from '@sextant/vector-storage';
import { AuthAdministration } from './administration.ts';
import type { Caller, Principal } from './auth.ts';
import { createAuthoriser } from './authorise.ts';

export const GOOD = 'Correct-Horse-42';
export const OTHER = 'Battery-Staple-43';
export const here: Caller = { address: '127.0.0.1', loopback: true, sender: 'program', credential: undefined };
export const admin: Principal = { kind: 'admin' };
export const refusal = (status: number, message: unknown) => ({ status, body: { status: 'error', message } });

/** The least that Argon2 takes: a test that is not about hashes makes many. */
export const CHEAP: PasswordCost = { memoryKiB: 8, passes: 1, parallelism: 1 };

type Settings = { readonly initiallyEnforced?: boolean; readonly jwtSecret?: string };

type Hooks = { readonly beforeEach: (prepare: () => void) => void; readonly afterEach: (tidy: () => void) => void };

/** Each test of the file that calls this, with the hooks of its runner, has a folder of its own. */
export function administrations({ beforeEach, afterEach }: Hooks) {
  let directory = '';
  let close = () => {};
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'auth-'));
  });
  afterEach(() => {
    close();
    rmSync(directory, { recursive: true, force: true });
  });

  /** Opens authentication on the directory's storage; a second call is a restart. */
  function start({ initiallyEnforced = false, jwtSecret }: Settings = {}) {
    close();
    const store = openSystemStorage({ directory: join(directory, 'system') });
    close = () => {
      store.close();
      close = () => {};
    };
    const clock = manualClock(Date.UTC(2026, 0, 1));
    const auth = new AuthAdministration({ store, dataDirectory: directory, jwtSecret, initiallyEnforced, clock, passwordCost: CHEAP });
    const authorise = createAuthoriser({ clock });
    const mayWith = (credential: string, requirement: Requirement) =>
      Promise.try(authorise, auth.snapshot(), { ...here, credential }, requirement).then(
        () => true,
        () => false,
      );
    return { auth, clock, mayWith };
  }

  async function startEnforced() {
    const started = start();
    await started.auth.createAdmin({ password: GOOD, caller: here });
    await started.auth.setEnforced({ enabled: true, principal: admin });
    return started;
  }

  return { fileOf: (name: string) => join(directory, name), start, startEnforced };
}

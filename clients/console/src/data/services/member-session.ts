// SPDX-License-Identifier: Apache-2.0
/**
 * The user who is signed in at the observability service. The access token is in memory alone; the refresh token is in a cookie that no script
 * reads, so a reload goes on with the session. That there is one, and whose, is noted beside it for all tabs of the browser: no secret.
 */
import { ApiError, ConnectionError, ObservabilityClient } from '@sextant/sdk';
import { useCallback, useEffect, useRef, useState } from 'react';
import { OBSERVABILITY_KEY, onRefusal, queryClient } from './query-client.ts';

export type Member = { readonly tenant: string; readonly username: string };
export type Credentials = Member & { readonly password: string };

/** `resuming`: the page was loaded a moment ago, and a session may go on. */
export type MemberState =
  | { readonly kind: 'resuming' }
  | { readonly kind: 'out'; readonly why?: string }
  | { readonly kind: 'in'; readonly member: Member; readonly outlivesPage: boolean };

export type MemberSession = {
  readonly observability: ObservabilityClient;
  readonly memberState: MemberState;
  readonly signIn: (credentials: Credentials) => Promise<void>;
  /** Rejects if the service could not be reached; this browser forgets the session in any case. */
  readonly signOut: () => Promise<void>;
};

const NOTE = 'sextant.member';
/** How long a sign-in waits for the sign-out before it to arrive. */
const SIGN_OUT_LIMIT_MS = 10_000;

export function useMemberSession(url: string): MemberSession {
  const [observability, setObservability] = useState(() => new ObservabilityClient({ url }));
  const [memberState, setMemberState] = useState<MemberState>(() => (readNote() === undefined ? { kind: 'out' } : { kind: 'resuming' }));
  // A sign-out that arrives late would end the cookie of a session that began meanwhile.
  const signingOut = useRef<Promise<unknown>>(Promise.resolve());

  const enter = useCallback((client: ObservabilityClient, state: MemberState) => {
    setObservability(client);
    setMemberState(state);
    queryClient.removeQueries({ queryKey: OBSERVABILITY_KEY });
  }, []);
  const leave = useCallback(
    (why?: string) => enter(new ObservabilityClient({ url }), { kind: 'out', ...(why !== undefined && { why }) }),
    [enter, url],
  );
  const resume = useCallback(
    async (member: Member) => {
      const client = new ObservabilityClient({ url, tenant: member.tenant, refreshTokenIn: 'cookie' });
      try {
        if (await client.resume(member)) return enter(client, { kind: 'in', member, outlivesPage: true });
        writeNote(undefined);
        leave('Your session has ended.');
      } catch (error) {
        leave(`Could not check whether you are still signed in: ${error instanceof Error ? error.message : String(error)}`);
      }
    },
    [enter, leave, url],
  );

  useEffect(() => {
    const noted = readNote();
    if (noted !== undefined) void resume(noted);
    // What other tabs do to the session they do to this one, for they share the cookie.
    const onNote = ({ key }: StorageEvent) => {
      if (key !== NOTE && key !== null) return;
      const now = readNote();
      if (now === undefined) leave('You signed out in another tab.');
      else void resume(now);
    };
    globalThis.addEventListener('storage', onNote);
    return () => globalThis.removeEventListener('storage', onNote);
  }, [resume, leave]);

  useEffect(
    () =>
      onRefusal(({ code }) => {
        if (code !== 'refresh_token_invalid') return;
        writeNote(undefined);
        leave('Your session has ended.');
      }),
    [leave],
  );

  const signIn = useCallback(
    async ({ tenant, username, password }: Credentials) => {
      const member = { tenant, username };
      const options = { url, tenant };
      await signingOut.current;
      try {
        const client = new ObservabilityClient({ ...options, refreshTokenIn: 'cookie' });
        await client.signIn({ username, password });
        writeNote(member);
        enter(client, { kind: 'in', member, outlivesPage: true });
      } catch (error) {
        if (!mayBeUnknownHere(error)) throw error;
        const client = new ObservabilityClient(options);
        await client.signIn({ username, password });
        enter(client, { kind: 'in', member, outlivesPage: false });
      }
    },
    [enter, url],
  );
  const signOut = useCallback(async () => {
    writeNote(undefined);
    leave();
    const announced = observability.signOut({ timeoutMs: SIGN_OUT_LIMIT_MS });
    signingOut.current = announced.catch(() => undefined);
    await announced;
  }, [leave, observability]);

  return { observability, memberState, signIn, signOut };
}

/**
 * The service gives cookies to pages of addresses that it knows alone; elsewhere one signs in for as long as the page is there. To pages of another
 * origin the browser does not even show that refusal: to them it is as if the service were not there.
 */
function mayBeUnknownHere(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.code === 'origin_not_known');
}

/** Storage may be full or forbidden; then a reload asks for the password, and nothing else is different. */
function writeNote(member: Member | undefined): void {
  try {
    if (member === undefined) localStorage.removeItem(NOTE);
    else localStorage.setItem(NOTE, JSON.stringify(member));
  } catch {}
}

function readNote(): Member | undefined {
  try {
    const note: unknown = JSON.parse(localStorage.getItem(NOTE) ?? 'null');
    if (typeof note !== 'object' || note === null || !('tenant' in note) || !('username' in note)) return undefined;
    const { tenant, username } = note;
    return typeof tenant === 'string' && typeof username === 'string' ? { tenant, username } : undefined;
  } catch {
    return undefined;
  }
}

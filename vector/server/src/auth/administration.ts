// SPDX-License-Identifier: Apache-2.0
/**
 * The admin, the switch and the access tokens, on the one thread that owns them. A change is first on disk, then known to every
 * thread, and only then acknowledged; changes go one after the other.
 *
 * Bodies have passed their schemas, and `authorise` has let the caller through on the serving thread; what could have changed since then,
 * and what must never go wrong, is checked here again.
 */
import { randomInt } from 'node:crypto';
import { type BodyOf, ServiceError } from '@sextant/contracts-vector';
import { hashPassword, isPassword, LoginLimiter, type PasswordCost, passwordProblem } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { ADMIN_USERNAME, JWT_LIFETIME_SECONDS, signAdminJwt } from './admin-jwt.ts';
import type { AuthReply, AuthSnapshot, Caller, Principal } from './auth.ts';
import { failure, success, tooMany } from './auth-reply.ts';
import { type AuthChange, type AuthState, type AuthStateOptions, readAuthState } from './auth-state.ts';
import { openJwtSecret } from './jwt-secret.ts';
import { refusalElsewhere, Setup } from './setup.ts';
import { TokenAdministration } from './token-administration.ts';

/** Hears of every change; the change is acknowledged once its promise is settled. */
export type SnapshotListener = (snapshot: AuthSnapshot) => Promise<void> | void;

export type AuthAdministrationOptions = Omit<AuthStateOptions, 'signingKey'> & {
  /** Where the secret that signs JWTs is kept. */
  readonly dataDirectory: string;
  /** The configured secret; without one, the kept one or a new one. */
  readonly jwtSecret: string | undefined;
  /** The secret that all nodes of a cluster know; undefined of a service that stands alone. */
  readonly sharedSecret?: string | undefined;
  /** Puts a change on disk, in a cluster on that of every node. Without it, it goes to the store. */
  readonly commit?: ((change: AuthChange) => Promise<void>) | undefined;
  readonly clock: Clock;
  /** Of passwords that are set here; that of every service unless given. */
  readonly passwordCost?: PasswordCost | undefined;
};

/** A change of another node may come between; more often than this, something else is wrong. */
const ATTEMPTS_MAX = 5;

/** The largest password version; JSON and JWTs carry integers up to 2^53 exactly, `randomInt` gives up to 2^48. */
const PASSWORD_VERSION_MAX = 2 ** 48 - 1;

export class AuthAdministration {
  /** Whether the secret is shorter than RFC 7518 section 3.2 asks for; worth a warning at the start. */
  readonly hasWeakSecret: boolean;
  readonly #clock: Clock;
  readonly #options: AuthStateOptions;
  readonly #commit: (change: AuthChange) => Promise<void>;
  #state: AuthState;
  readonly #limiter: LoginLimiter;
  readonly #passwordCost: PasswordCost | undefined;
  readonly #setup: Setup;
  readonly #listeners: SnapshotListener[] = [];
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor({ clock, dataDirectory, jwtSecret, sharedSecret, commit, passwordCost, ...options }: AuthAdministrationOptions) {
    const { signingKey, isWeak } = openJwtSecret({ directory: dataDirectory, configured: jwtSecret, shared: sharedSecret });
    this.hasWeakSecret = isWeak;
    this.#clock = clock;
    this.#options = { ...options, signingKey };
    this.#commit = commit ?? (async ({ changes }) => options.store.write(changes));
    this.#state = readAuthState(this.#options);
    this.#limiter = new LoginLimiter(clock);
    this.#passwordCost = passwordCost;
    this.#setup = new Setup({ directory: dataDirectory, clock });
  }

  /** What a browser has to send to create the first admin; undefined once there is one. */
  get setupCode(): string | undefined {
    return this.#state.admin === undefined ? this.#setup.code : undefined;
  }

  snapshot(): AuthSnapshot {
    return this.#state.snapshot();
  }

  onChange(listener: SnapshotListener): void {
    this.#listeners.push(listener);
  }

  /** Takes over what is on disk, where another node of a cluster may have changed it; resolves when every thread knows. */
  async reload(): Promise<void> {
    this.#state = readAuthState(this.#options);
    const snapshot = this.#state.snapshot();
    await Promise.all(this.#listeners.map(async (listener) => listener(snapshot)));
  }

  /** POST /auth/admin */
  async createAdmin({ password, ...proof }: BodyOf<'create_admin'> & { readonly caller: Caller }): Promise<AuthReply> {
    const elsewhere = refusalElsewhere(proof.caller);
    if (elsewhere !== undefined) return elsewhere;
    if (this.#state.admin !== undefined) return failure(409, USERNAME_EXISTS);
    const needsCode = proof.caller.sender !== 'program';
    const unproven = this.#setup.refusalOf(proof, needsCode);
    if (unproven !== undefined) return unproven;
    const problem = passwordProblem({ password, username: ADMIN_USERNAME });
    if (problem !== undefined) return failure(400, problem);
    const record = await hashPassword(password, this.#passwordCost);
    const useCode = once(() => this.#setup.use(proof));
    return this.#change((draft) => {
      // Another request may have created it while this one was hashing.
      if (draft.admin !== undefined) return failure(409, USERNAME_EXISTS);
      const used = useCode();
      if (used !== undefined) return used;
      draft.setAdmin({ password: record, passwordVersion: newPasswordVersion() });
      return success('User registered successfully');
    });
  }

  /** POST /auth/admin/login */
  async login({ password, address }: { password: string; address: string }): Promise<AuthReply> {
    if (password.trim() === '') return failure(400, MISSING_PASSWORD);
    const seconds = this.#limiter.take({ address });
    if (seconds > 0) return tooMany(seconds);
    const { admin } = this.#state;
    if (!(await isPassword(password, admin?.password, this.#passwordCost))) {
      return { status: 401, body: { token: null, message: 'Invalid username or password', expires_in: 0 } };
    }
    this.#limiter.release({ address });
    // Signed for the password that was checked, even where it has been reset meanwhile.
    const { signingKey } = this.#state;
    const token = await signAdminJwt({ signingKey, passwordVersion: admin?.passwordVersion ?? 0 }, this.#clock.nowMs());
    return { status: 200, body: { token, message: 'Login successful', expires_in: JWT_LIFETIME_SECONDS } };
  }

  /** POST /auth/admin/reset-password */
  async resetPassword({
    password,
    principal,
    ...proof
  }: BodyOf<'reset_password'> & { readonly caller: Caller; readonly principal: Principal }): Promise<AuthReply> {
    const elsewhere = refusalElsewhere(proof.caller);
    if (elsewhere !== undefined) return elsewhere;
    // An access token proves nothing here: it can be taken back, and a password that it had set would outlive it.
    const needsCode = principal.kind !== 'admin' && (this.#state.enforced || proof.caller.sender !== 'program');
    const unproven = this.#setup.refusalOf(proof, needsCode);
    if (unproven !== undefined) return unproven;
    const problem = passwordProblem({ password, username: ADMIN_USERNAME });
    if (problem !== undefined) return failure(400, problem);
    if (this.#state.admin === undefined) return failure(404, 'User not found');
    const record = await hashPassword(password, this.#passwordCost);
    const useCode = once(() => this.#setup.use(proof));
    return this.#change((draft) => {
      const used = useCode();
      if (used !== undefined) return used;
      draft.setAdmin({ password: record, passwordVersion: newPasswordVersion() });
      return success('Password reset successfully');
    });
  }

  /** GET /auth/admin/exists */
  adminExists(): Promise<AuthReply> {
    return this.#measured(() => this.#state.admin !== undefined);
  }

  /** GET /auth/enabled */
  enforced(): Promise<AuthReply> {
    return this.#measured(() => this.#state.enforced);
  }

  /** PATCH /auth/enabled */
  async setEnforced({ enabled, principal }: { enabled: boolean; principal: Principal }): Promise<AuthReply> {
    if (principal.kind !== 'admin') return failure(401, new ServiceError('unauthorized').message);
    return this.#measured(async () => {
      await this.#change((draft) => draft.setEnforced(enabled));
      return enabled;
    });
  }

  /** POST /auth/api_key */
  createToken(body: BodyOf<'create_token'>, principal: Principal): Promise<AuthReply> {
    return this.#change((draft) => this.#tokens(draft).create(body, principal));
  }

  /** GET /auth/api_keys */
  async listTokens(): Promise<AuthReply> {
    return this.#tokens(this.#state).list();
  }

  /** POST /auth/api_key/{token_id}/rotate */
  rotateToken({ id, principal }: { id: string; principal: Principal }): Promise<AuthReply> {
    return this.#change((draft) => this.#tokens(draft).rotate(id, principal));
  }

  /** DELETE /auth/api_key/{token_id} */
  deleteToken({ id, principal }: { id: string; principal: Principal }): Promise<AuthReply> {
    return this.#change((draft) => this.#tokens(draft).delete(id, principal));
  }

  #tokens(state: AuthState): TokenAdministration {
    return new TokenAdministration({ state, clock: this.#clock });
  }

  /** Runs a change when those before it are known everywhere, and resolves when it is. */
  #change<Result>(change: (draft: AuthState) => Result): Promise<Result> {
    const run = this.#lastChange.then(() => this.#attempt(change));
    // A change that failed does not hold up the next.
    this.#lastChange = run.catch(() => {});
    return run;
  }

  /** Where another node was first, the change is made again, of the state as it is then. */
  async #attempt<Result>(change: (draft: AuthState) => Result): Promise<Result> {
    for (let attempt = 1; ; attempt++) {
      const draft = this.#state.draft();
      const result = change(draft);
      // A request that was refused changed nothing that others would have to hear of.
      if (draft.changes.length === 0) return result;
      try {
        await this.#commit({ changes: draft.changes, revision: draft.revision });
      } catch (error) {
        if (attempt === ATTEMPTS_MAX || !(error instanceof ServiceError && error.code === 'credentials_changed')) throw error;
        continue;
      }
      await this.reload();
      return result;
    }
  }

  /** The service's usual envelope, which these two endpoints have unlike the other ones of authentication. */
  async #measured(run: () => boolean | Promise<boolean>): Promise<AuthReply> {
    const startedMs = this.#clock.monotonicMs();
    const result = await run();
    const time = (this.#clock.monotonicMs() - startedMs) / 1000;
    return { status: 200, body: { usage: { hardware: null }, time, status: 'ok', result } };
  }
}

const USERNAME_EXISTS = 'Username already exists';
const MISSING_PASSWORD = 'Missing required field: password';

/** A change that is made again must not use a setup code twice. */
function once<Result>(run: () => Result): () => Result {
  let done: { readonly result: Result } | undefined;
  return () => {
    done ??= { result: run() };
    return done.result;
  };
}

function newPasswordVersion(): number {
  return randomInt(1, PASSWORD_VERSION_MAX);
}

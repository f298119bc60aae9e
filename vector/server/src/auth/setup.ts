// SPDX-License-Identifier: Apache-2.0
/** Who may create the admin and set its password: somebody on this machine, who proves it with the setup code where a page could have sent the request. */
import { LoginLimiter } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { AuthReply, Caller } from './auth.ts';
import { failure, tooMany } from './auth-reply.ts';
import { NOT_THROUGH_PROXIES, THIS_MACHINE_ONLY } from './authorise.ts';
import { SetupCode } from './setup-code.ts';

export type Proof = { readonly caller: Caller; readonly setup_code?: string | null };

const CODE_NEEDED =
  "This needs the setup code, as setup_code, or the admin's JWT: the code is in the file setup-code of the data directory, and is printed at each start while there is no admin";
const CODE_WRONG = 'The setup code is wrong or has been used; the current one is in the file setup-code of the data directory';

/** Authorisation has asked this before the body was read; what must never go wrong is asked again. */
export function refusalElsewhere({ loopback, sender }: Caller): AuthReply | undefined {
  if (!loopback) return failure(403, THIS_MACHINE_ONLY);
  return sender === 'proxy' ? failure(403, NOT_THROUGH_PROXIES) : undefined;
}

export class Setup {
  readonly #code: SetupCode;
  readonly #limiter: LoginLimiter;

  constructor({ directory, clock }: { readonly directory: string; readonly clock: Clock }) {
    this.#code = new SetupCode({ directory });
    this.#limiter = new LoginLimiter(clock);
  }

  get code(): string {
    return this.#code.text;
  }

  /** Undefined where what the caller has sent suffices. A code that is given has to be right, also where none is needed. */
  refusalOf({ caller, setup_code: given }: Proof, isNeeded: boolean): AuthReply | undefined {
    if (given === undefined || given === null) return isNeeded ? failure(403, CODE_NEEDED) : undefined;
    const seconds = this.#limiter.take({ address: caller.address });
    if (seconds > 0) return tooMany(seconds);
    if (!this.#code.matches(given)) return failure(403, CODE_WRONG);
    this.#limiter.release({ address: caller.address });
    return undefined;
  }

  /** Makes the code worthless, whether or not it was needed; a request that was quicker may have used it up. */
  use({ setup_code: given }: Proof): AuthReply | undefined {
    if (given !== undefined && given !== null && !this.#code.matches(given)) return failure(403, CODE_WRONG);
    this.#code.renew();
    return undefined;
  }
}

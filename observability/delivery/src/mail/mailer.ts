// SPDX-License-Identifier: Apache-2.0
/** Mail through the operator's server. */
import { createTransport } from 'nodemailer';
import { DeliveryFailure } from '../failure.ts';

export type MailServer = {
  /** `smtp://` or `smtps://`, with user, password, host and port. */
  readonly url: string;
  readonly from: string;
};

export type Mail = {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at each attempt; becomes the Message-ID. */
  readonly id: string;
};

export type Mailer = {
  /** @throws DeliveryFailure; the reason of the signal when that is aborted */
  readonly send: (mail: Mail, signal: AbortSignal) => Promise<void>;
};

const CONNECT_TIMEOUT_MS = 10_000;
const SILENCE_TIMEOUT_MS = 10_000;
/** A server that answers a word at a time must not outlast the claim on the delivery. */
const TIMEOUT_MS = 30_000;

/** Without a server, every mail fails with a sentence that says what to set. */
export function createMailer(server: MailServer | undefined, { timeoutMs = TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Mailer {
  if (server === undefined) {
    const sentence = 'no mail server is configured; the operator of the service sets SMTP_URL and SMTP_FROM';
    return { send: () => Promise.reject(new DeliveryFailure(sentence, { isPermanent: true })) };
  }
  const { url, from } = server;
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: SILENCE_TIMEOUT_MS,
    // A message is text of ours; nothing in it may name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^\s@>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    send: async ({ to, subject, text, id }, signal) => {
      const end = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const mail = { from, to: { name: '', address: to }, subject, text, messageId: `<${id}@${domain}>` };
      try {
        signal.throwIfAborted();
        await ended(transport.sendMail({ ...mail, headers: { 'Auto-Submitted': 'auto-generated' } }), end);
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        if (end.aborted) throw new DeliveryFailure(`the mail server did not finish within ${timeoutMs} ms`, { cause });
        throw failureOf(cause);
      }
    },
  };
}

/** Nodemailer cannot be interrupted; its own timeouts close what is left behind. */
function ended<Result>(sending: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    sending.then(resolve, reject);
  });
}

/** Codes of 500 and above are for good (RFC 5321, section 4.2.1), but for those that are about us and not about the mail. */
function failureOf(cause: unknown): DeliveryFailure {
  if (!(cause instanceof Error)) return new DeliveryFailure(String(cause), { cause });
  const responseCode = 'responseCode' in cause && typeof cause.responseCode === 'number' ? cause.responseCode : 0;
  const isAboutUs = 'code' in cause && cause.code === 'EAUTH';
  return new DeliveryFailure(`the mail server: ${cause.message}`, { cause, isPermanent: responseCode >= 500 && !isAboutUs });
}

// SPDX-License-Identifier: Apache-2.0
/** Mail to a real SMTP server. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { afterEach, expect, test } from 'vitest';
import { messageOf } from '../testing/messages.ts';
import { incidentMail } from './incident-mail.ts';
import { createMailer } from './mailer.ts';

type Received = { readonly from: string; readonly to: readonly string[]; readonly text: string; readonly user: string | undefined };

afterEach(closeAll);
const servers: SMTPServer[] = [];
async function closeAll() {
  for (const server of servers.splice(0)) await new Promise<void>((resolve) => server.close(resolve));
}

async function openServer(options: SMTPServerOptions = {}) {
  const received: Received[] = [];
  const keep = async (stream: NodeJS.ReadableStream, { envelope, user }: SMTPServerSession, done: () => void) => {
    received.push({
      from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
      to: envelope.rcptTo.map(({ address }) => address),
      text: await text(stream),
      user: user as string | undefined,
    });
    done();
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    onAuth: ({ username = '', password }, _session, done) =>
      password === 'right' ? done(null, { user: username }) : done(new Error('Authentication failed')),
    onData: (stream, session, done) => {
      void keep(stream, session, done);
    },
    ...options,
  });
  servers.push(server);
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has an AddressInfo.
  return { received, port: (server.server.address() as AddressInfo).port };
}

const never = new AbortController().signal;
const mailOf = (change = {}) => ({ to: 'ops@example.com', id: 'd1', ...incidentMail(messageOf()), ...change });
const from = 'Sextant <alerts@example.com>';

test('a mail arrives with its words, its sender and an id that stays the same', async () => {
  const { received, port } = await openServer();
  const mailer = createMailer({ url: `smtp://me:right@127.0.0.1:${port}`, from });
  await mailer.send(mailOf(), never);
  await mailer.send(mailOf(), never);
  expect(received).toHaveLength(2);
  const [first] = received;
  expect(first).toMatchObject({ from: 'alerts@example.com', to: ['ops@example.com'], user: 'me' });
  expect(first?.text).toMatch(/^From: Sextant <alerts@example.com>\r?$/m);
  expect(first?.text).toMatch(/^Subject: \[HIGH\] New incident 12: Filled on Orders/m);
  expect(first?.text).toContain('price is filled to 80 %');
  expect(first?.text).toContain('https://sextant.example/console/#/incidents/12');
  for (const { text: mail } of received) expect(mail).toMatch(/^Message-ID: <d1@example.com>\r?$/m);
});

test('a name with a line break adds no header, and an address no second recipient', async () => {
  const { received, port } = await openServer();
  await createMailer({ url: `smtp://127.0.0.1:${port}`, from })
    .send(mailOf({ to: 'a@example.com,b@example.com' }), never)
    .catch(() => undefined);
  await createMailer({ url: `smtp://127.0.0.1:${port}`, from }).send(mailOf({ subject: 'x\r\nBcc: evil@example.com' }), never);
  expect(received.flatMap(({ to }) => to)).not.toContain('b@example.com');
  expect(received.flatMap(({ to }) => to)).not.toContain('evil@example.com');
  expect(received.at(-1)?.text).not.toMatch(/^Bcc:/m);
});

test.each([
  [550, 'no such mailbox', true],
  [450, 'mailbox busy', false],
])('a mailbox refused with %i %s is given up: %s', async (responseCode, words, isPermanent) => {
  const { port } = await openServer({ onRcptTo: (_address, _session, done) => done(Object.assign(new Error(words), { responseCode })) });
  const sending = createMailer({ url: `smtp://127.0.0.1:${port}`, from }).send(mailOf(), never);
  await expect(sending).rejects.toMatchObject({ name: 'DeliveryFailure', isPermanent, message: expect.stringContaining(words) });
});

test('a wrong password is the operator to repair, and so tried again; it is not repeated', async () => {
  const { port } = await openServer();
  const sending = createMailer({ url: `smtp://me:wrong-secret@127.0.0.1:${port}`, from }).send(mailOf(), never);
  await expect(sending).rejects.toMatchObject({ isPermanent: false, message: expect.not.stringContaining('wrong-secret') });
});

test('a server that is not there is tried again', async () => {
  await expect(createMailer({ url: 'smtp://127.0.0.1:1', from }).send(mailOf(), never)).rejects.toMatchObject({ isPermanent: false });
});

test('a server that never finishes is left when the service stops', async () => {
  const stopping = new AbortController();
  let finish: (() => void) | undefined;
  const { port } = await openServer({
    onRcptTo: (_address, _session, done) => {
      finish = () => done(new Error('too late'));
      stopping.abort(new Error('the service stops'));
    },
  });
  await expect(createMailer({ url: `smtp://127.0.0.1:${port}`, from }).send(mailOf(), stopping.signal)).rejects.toThrow(
    'the service stops',
  );
  finish?.();
});

test('a server that goes silent is left after its time, to be tried again', async () => {
  let finish: (() => void) | undefined;
  const { port } = await openServer({
    onMailFrom: (_address, _session, done) => {
      finish = () => done(new Error('too late'));
    },
  });
  const sending = createMailer({ url: `smtp://127.0.0.1:${port}`, from }, { timeoutMs: 500 }).send(mailOf(), never);
  await expect(sending).rejects.toMatchObject({ isPermanent: false, message: expect.stringContaining('within 500 ms') });
  finish?.();
});

test('without a server, a sentence says what the operator sets', async () => {
  await expect(createMailer(undefined).send(mailOf(), never)).rejects.toMatchObject({
    isPermanent: true,
    message: expect.stringContaining('SMTP_URL'),
  });
});

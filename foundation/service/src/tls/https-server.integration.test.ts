// SPDX-License-Identifier: Apache-2.0
import { copyFile } from 'node:fs/promises';
import { Agent, get } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { connect as secureConnect, TLSSocket } from 'node:tls';
import { manualClock, systemClock } from '@sextant/foundation-std';
import {
  type CertificateAuthority,
  type ClientTls,
  certificateAuthority,
  type IssuedCertificate,
  opensslProblem,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConnectionCap, capHttpConnections } from '../connection-cap.ts';
import { drainConnections, ServerConnections } from '../server-connections.ts';
import { httpsServerFactory } from './https-server.ts';
import { openServerTls } from './tls-reload.ts';

const problem = opensslProblem();
const LOOK_MS = 5000;

describe.skipIf(problem !== undefined)('a server that speaks TLS', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let authority: CertificateAuthority;
  let first: IssuedCertificate;
  let second: IssuedCertificate;
  beforeAll(async () => {
    directory = await temporaryDirectory();
    authority = await certificateAuthority(directory.path);
    [first, second] = [await authority.issue('first'), await authority.issue('second')];
  });
  afterAll(() => directory[Symbol.asyncDispose]());

  type Open = {
    readonly clock?: ReturnType<typeof manualClock>;
    readonly clientCaFile?: string;
    readonly handle?: () => void;
    readonly connectionsMax?: number;
  };

  async function open({ clock, clientCaFile, handle, connectionsMax = 100 }: Open = {}) {
    const files = { certificateFile: first.certificateFile, keyFile: first.keyFile, clientCaFile };
    const logged: string[] = [];
    const note = (_details: object, message: string) => void logged.push(message);
    const tls = openServerTls(files, { clock: clock ?? systemClock, log: { info: note, warn: note, error: note } });
    const server = httpsServerFactory(tls, { requestTimeoutMs: 1000 })((_request, response) => {
      if (handle === undefined) response.end('answer');
      else handle();
    });
    capHttpConnections(server, new ConnectionCap(ConnectionCap.allocate(), { max: connectionsMax, clock: systemClock }), () => ({
      message: 'full',
    }));
    const connections = new ServerConnections(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      tls,
      server,
      connections,
      logged,
      port,
      [Symbol.asyncDispose]: async () => {
        server.closeAllConnections();
        server.close();
        await tls.close();
      },
    };
  }

  type Answer = { readonly status: number | undefined; readonly text: string; readonly subject: string };

  /** One request over a connection of its own. */
  function ask(port: number, client: ClientTls = authority.client): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const agent = new Agent({ ...client, maxCachedSessions: 0 });
      const request = get({ port, host: '127.0.0.1', agent }, (response) => {
        const { socket } = response;
        const subject = socket instanceof TLSSocket ? String(socket.getPeerCertificate().subject.CN) : '';
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => {
          agent.destroy();
          resolve({ status: response.statusCode, text, subject });
        });
      });
      request.on('error', reject);
    });
  }

  test('answers those who trust its authority, and nobody without TLS', async () => {
    await using service = await open();
    expect(await ask(service.port)).toEqual({ status: 200, text: 'answer', subject: 'first' });
    const stranger = await certificateAuthority(directory.path, 'stranger');
    await expect(ask(service.port, stranger.client)).rejects.toThrow(/certificate/);
    const plain = await new Promise<string>((resolve) => {
      const socket = connect(service.port, '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk.toString('latin1');
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    expect(plain).not.toContain('answer');
  });

  test('refuses old versions of TLS', async () => {
    await using service = await open();
    const outcome = await new Promise<string>((resolve) => {
      const socket = secureConnect({
        port: service.port,
        host: '127.0.0.1',
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ...authority.client,
      });
      socket.on('secureConnect', () => resolve('connected'));
      socket.on('error', (error) => resolve(error.message));
    });
    expect(outcome).not.toBe('connected');
  });

  test('asks for a certificate where the operator names an authority of clients', async () => {
    await using service = await open({ clientCaFile: authority.caFile });
    expect(await ask(service.port, second.client)).toMatchObject({ status: 200 });
    await expect(ask(service.port)).rejects.toThrow();
    const stranger = await (await certificateAuthority(directory.path, 'strangers')).issue('strange');
    await expect(ask(service.port, { ...stranger.client, ...authority.client })).rejects.toThrow();
  });

  test('takes over a renewed certificate, and keeps the former one where the files are broken', async () => {
    const renewed = await authority.issue('renewed');
    const clock = manualClock(Date.now());
    await using service = await open({ clock });
    const look = async () => {
      // The loop sets its timer once its turn has ended.
      for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
      clock.advance(LOOK_MS);
      for (let turns = 0; turns < 10; turns += 1) await Promise.resolve();
    };
    await look();
    await copyFile(renewed.certificateFile, first.certificateFile);
    await look();
    expect((await ask(service.port)).subject).toBe('first');
    expect(service.logged.at(-1)).toBe('the changed certificate cannot be used; the previous one stays in use');
    await copyFile(renewed.keyFile, first.keyFile);
    await look();
    expect((await ask(service.port)).subject).toBe('renewed');
    expect(service.logged.at(-1)).toBe('applied the changed certificate');
    expect(service.tls.notAfterMs()).toBeGreaterThan(Date.now());
  });

  test('tells a connection beyond the bound why, over TLS', async () => {
    await using service = await open({ connectionsMax: 0 });
    const { status, text } = await ask(service.port);
    expect([status, JSON.parse(text)]).toEqual([503, { message: 'full' }]);
  });

  test('ends with the answers that it has begun', async () => {
    const begun = Promise.withResolvers<void>();
    await using service = await open({ handle: begun.resolve });
    const asked = ask(service.port).catch((error: unknown) => String(error));
    await begun.promise;
    const warned: string[] = [];
    const close = () => new Promise<void>((resolve) => service.server.close(() => resolve()));
    const times = { arrivalMs: 20, answerMs: 60 };
    await drainConnections(close, service.connections, { ...times, clock: systemClock, warn: (sentence) => warned.push(sentence) });
    // Its request had arrived, so it was cut with the answers and not before.
    expect(warned).toEqual(['closed 1 connections; requests without an answer: GET /']);
    expect(await asked).toBe('Error: socket hang up');
  });
});

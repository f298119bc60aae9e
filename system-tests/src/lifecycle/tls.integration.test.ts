// SPDX-License-Identifier: Apache-2.0
/** Both services with TLS, as the clients of others meet them: certificates of clients, renewal, and an end without losses. */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { credentials } from '@grpc/grpc-js';
import {
  type CertificateAuthority,
  type ChildServer,
  type ClientTls,
  certificateAuthority,
  type IssuedCertificate,
  opensslProblem,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { environmentOf, sextant, sextantProcess } from '../clients/sextant.ts';
import { startObservabilityServer } from '../observability/observability-server.ts';
import { grpcAddressOf, startVectorServer } from '../vector-server.ts';
import { healthOf } from './grpc-health.ts';

const problem = opensslProblem();
test.runIf(problem !== undefined)(`tests of TLS are skipped: ${problem}`, () => undefined);

describe.skipIf(problem !== undefined)('with a certificate', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let authority: CertificateAuthority;
  let own: IssuedCertificate;
  let visitor: IssuedCertificate;
  const servers: ChildServer[] = [];

  beforeAll(async () => {
    directory = await temporaryDirectory();
    authority = await certificateAuthority(directory.path);
    [own, visitor] = [await authority.issue('own'), await authority.issue('visitor')];
  });
  afterAll(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await directory[Symbol.asyncDispose]();
  });

  const settings = (prefix: string, more: { readonly [suffix: string]: string } = {}) =>
    Object.fromEntries(
      Object.entries({ CERT_FILE: own.certificateFile, KEY_FILE: own.keyFile, ...more }).map(([suffix, value]) => [
        `${prefix}_TLS_${suffix}`,
        value,
      ]),
    );

  async function vectorServer(name: string, tls: ClientTls, more: { readonly [suffix: string]: string } = {}): Promise<ChildServer> {
    const server = await startVectorServer({
      directory: join(directory.path, name),
      environment: settings('SERVICE', more),
      tls,
    });
    servers.push(server);
    return server;
  }

  const channel = ({ ca, cert, key }: ClientTls) =>
    credentials.createSsl(
      Buffer.from(ca),
      ...(key === undefined || cert === undefined ? [] : ([Buffer.from(key), Buffer.from(cert)] as const)),
    );

  test('the vector service speaks it over REST and gRPC, and the command line reaches it', async () => {
    const server = await vectorServer('vector', authority.client);
    expect(server.address).toMatch(/^https:/);
    const { client } = server;
    expect((await client.request('PUT', '/collections/a', { vectors: { size: 2, distance: 'Dot' } })).status).toBe(200);
    expect((await client.request('PUT', '/collections/a/points', { points: [{ id: 1, vector: [1, 2] }] })).status).toBe(200);
    expect((await client.request('GET', '/metrics')).body).toMatch(/^tls_certificate_not_after_seconds \d{10}$/m);
    const grpc = new URL(grpcAddressOf(server));
    expect(await healthOf(grpc.host, channel(authority.client))).toBe('SERVING');
    await expect(healthOf(grpc.host, credentials.createInsecure())).rejects.toThrow();
    const { code, stdout } = await sextantProcess(
      ['collections', 'list'],
      environmentOf(directory.path, { SEXTANT_URL: server.address, NODE_EXTRA_CA_CERTS: authority.caFile }),
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^a +1 +green/m)]);
    const distrusted = await sextant(['collections', 'list'], environmentOf(directory.path, { SEXTANT_URL: server.address }));
    expect(distrusted).toMatchObject({ code: 3, stderr: expect.stringMatching(/certificate/i) });
    await server.stop();
  });

  test('the vector service asks for certificates of clients on both ports', async () => {
    const server = await vectorServer('mutual', visitor.client, { CLIENT_CA_FILE: authority.caFile });
    expect((await server.client.request('GET', '/collections')).status).toBe(200);
    const grpc = new URL(grpcAddressOf(server)).host;
    expect(await healthOf(grpc, channel(visitor.client))).toBe('SERVING');
    await expect(healthOf(grpc, channel(authority.client))).rejects.toThrow();
    await server.stop();
  });

  test('the observability service speaks it, and takes over a renewed certificate', async () => {
    const files = { CERT_FILE: join(directory.path, 'live.pem'), KEY_FILE: join(directory.path, 'live.key') };
    await copyFile(own.certificateFile, files.CERT_FILE);
    await copyFile(own.keyFile, files.KEY_FILE);
    const server = await startObservabilityServer({
      directory: join(directory.path, 'observability'),
      environment: settings('OBSERVABILITY', files),
      tls: authority.client,
    });
    servers.push(server);
    expect((await server.client.request('GET', '/readyz')).status).toBe(200);
    await copyFile(visitor.keyFile, files.KEY_FILE);
    await copyFile(visitor.certificateFile, files.CERT_FILE);
    await expect.poll(() => server.log.some((line) => line.includes('applied the changed certificate')), { timeout: 60_000 }).toBe(true);
    expect((await server.client.request('GET', '/readyz')).status).toBe(200);
    await server.stop();
  });

  test('a service whose key is another one does not start, and says why', async () => {
    const started = vectorServer('broken', authority.client, { KEY_FILE: visitor.keyFile });
    await expect(started).rejects.toThrow(/SERVICE_TLS: the key in .* does not belong to the certificate/);
  });
});

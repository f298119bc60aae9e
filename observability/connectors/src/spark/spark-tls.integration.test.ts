// SPDX-License-Identifier: Apache-2.0
/** An encrypted connection, as a proxy before a real Spark ends it: the Connect server of Spark itself does not encrypt. */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, connect as connectTo } from 'node:net';
import { pipeline } from 'node:stream';
import { createServer } from 'node:tls';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { certificateAuthority, opensslProblem, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import type { OpenConnection } from '../connector.ts';
import { missingSpark, sharedSpark } from '../testing/spark-for-tests.ts';
import { clusterLaunchers } from './clusters/cluster-kinds.ts';
import { localLauncher, remoteLauncher } from './launcher.ts';
import { createSparkConnector } from './spark-connector.ts';

const TIMEOUT_MS = 600_000;
const missing = missingSpark() ?? opensslProblem();

test.skipIf(missing !== undefined)(
  `Spark behind TLS is verified by the authority that is given, and by no other (${missing ?? 'installed'})`,
  { timeout: TIMEOUT_MS },
  async () => {
    await using directory = await temporaryDirectory();
    const spark = await sharedSpark();
    const authority = await certificateAuthority(directory.path);
    const other = await certificateAuthority(directory.path, 'other');
    const { certificateFile, keyFile } = await authority.issue('localhost');
    const files = { cert: await readFile(certificateFile), key: await readFile(keyFile) };
    // What breaks is for the client to say.
    const proxy = createServer({ ...files, ALPNProtocols: ['h2'] }, (socket) => {
      const upstream = connectTo(spark.port, spark.address);
      pipeline(socket, upstream, () => undefined);
      pipeline(upstream, socket, () => undefined);
    }).on('tlsClientError', () => undefined);
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    const { port } = proxy.address() as AddressInfo;
    const outbound = createOutboundGuard({ allowPrivateNetworks: true });
    const connector = createSparkConnector({
      remote: remoteLauncher(outbound),
      local: localLauncher({ memoryMb: 0, threads: 1, home: undefined, environments: [], temporaryDirectory: '', clock: systemClock }),
      clusters: clusterLaunchers({ outbound, clock: systemClock }),
      allowedDirectories: [],
      statementTimeoutMs: TIMEOUT_MS,
      clock: systemClock,
    });
    const through = (tls: OpenConnection['payload']): OpenConnection => ({
      id: 1,
      type: 'SPARK',
      payload: { host: 'localhost', port, ...tls },
      credential: { type: 'TOKEN', payload: { token: spark.token } },
    });
    const { signal } = new AbortController();
    try {
      await connector.test(through({ ssl_ca: await readFile(authority.caFile, 'utf8') }), signal);
      const refused = `Spark at localhost:${port} cannot be reached`;
      await expect(connector.test(through({ ssl_ca: await readFile(other.caFile, 'utf8') }), signal)).rejects.toThrow(refused);
      await expect(connector.test(through({}), signal)).rejects.toThrow(refused);
      await expect(connector.test(through({ host: '127.0.0.1' }), signal)).rejects.toThrow('gRPC over TLS does not accept IP addresses');
    } finally {
      outbound.close();
      proxy.close();
    }
  },
);

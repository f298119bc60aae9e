// SPDX-License-Identifier: Apache-2.0
/**
 * The packages as people get them: packed, installed into an empty folder by the npm of this machine, and used as their page says. What they depend on
 * comes from the registry of npm; where that is not reached, there is nothing to test.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { QdrantClient } from '@qdrant/js-client-grpc';
import { jsonClient, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Launched, launch, ROOT } from '../lifecycle/launched-services.ts';
import { ADMIN, adminApi } from '../observability/observability-server.ts';
import { scanned, uploadAsset } from '../observability/scanning.ts';
import { bytesOf, filesBelow, installedIn, installedPackage } from './installed-packages.ts';
import { machineEnvironment, reachesRegistry } from './machine.ts';
import { tarballOf } from './packed-packages.ts';

const PAGE = join(ROOT, 'tools/package/readme/sextant.md');
const PACKAGES_MAX = 200;
const BYTES_MAX = 150e6;
const INSTALL_MS = 600_000;

describe.skipIf(!reachesRegistry())('packages in an empty folder', () => {
  let directory: TemporaryDirectory;
  const at = (...names: readonly string[]) => join(directory.path, ...names);

  beforeAll(async () => {
    directory = await temporaryDirectory();
  }, INSTALL_MS);

  afterAll(() => directory[Symbol.asyncDispose]());

  describe('@sextant/sextant', () => {
    let folder: string;
    let environment: { readonly [name: string]: string | undefined };
    const program = () => join(folder, 'node_modules/.bin/sextant');

    beforeAll(() => {
      folder = at('everything');
      // Its services keep beside it what Node.js makes of their modules.
      cpSync(installedPackage(), folder, { recursive: true, verbatimSymlinks: true });
      const { engines } = JSON.parse(readFileSync(join(folder, 'node_modules/@sextant/sextant/package.json'), 'utf8')) as {
        readonly engines: { readonly node: string };
      };
      const wanted = Number(/\d+/.exec(engines.node)?.[0]);
      const found = Number(/^v(\d+)/.exec(spawnSync('node', ['--version'], { env: machineEnvironment, encoding: 'utf8' }).stdout)?.[1]);
      // Where the machine has an older one, `npx --package=node` would put a newer one before it, as this does.
      environment =
        found >= wanted
          ? machineEnvironment
          : { ...machineEnvironment, PATH: `${dirname(process.execPath)}${delimiter}${machineEnvironment.PATH}` };
      if (found >= wanted) return;
      const { status, stderr } = spawnSync(program(), ['--version'], { env: machineEnvironment, encoding: 'utf8' });
      expect(stderr).toContain(`Node.js ${wanted} or later is needed`);
      expect(status).toBe(1);
    }, INSTALL_MS);

    test('is small', () => {
      const { packages, bytes } = installedIn(folder);
      console.log(`@sextant/sextant: ${packages} packages, ${(bytes / 1e6).toFixed(1)} MB`);
      expect(packages).toBeLessThan(PACKAGES_MAX);
      expect(bytes).toBeLessThan(BYTES_MAX);
    });

    describe('sextant serve', () => {
      let services: Launched;

      beforeAll(async () => {
        mkdirSync(at('elsewhere'));
        services = await launch({
          command: [program(), 'serve', '--data-dir', at('data')],
          directory: at('unused'),
          cwd: at('elsewhere'),
          services: 2,
          environment: { ...cleared(process.env), ...environment, OBSERVABILITY_ADMIN_PASSWORD: ADMIN.password },
        });
      }, INSTALL_MS);

      afterAll(() => services[Symbol.asyncDispose]());

      test('keeps its data in the folder that it was given, and leaves others alone', () => {
        expect(existsSync(at('data/vector'))).toBe(true);
        expect(existsSync(at('data/observability'))).toBe(true);
        expect(existsSync(at('unused'))).toBe(false);
        expect(globSync('*', { cwd: at('elsewhere') })).toEqual([]);
      });

      test('the first search of its page finds Hamburg', () => {
        const page = readFileSync(PAGE, 'utf8');
        const commands = [...page.matchAll(/^```sh\n(curl .*?)^```/gms)].map(([, block = '']) => block).join('\n');
        expect(commands).toContain('points/search');
        const script = commands.replaceAll('http://127.0.0.1:6573', services.vectorAddress).replaceAll('curl ', 'curl --silent --fail ');
        expect(spawnSync('bash', ['-euc', script], { encoding: 'utf8' }).stdout).toContain('Hamburg');
      });

      test('the command line lists the collection', () => {
        const address = { SEXTANT_URL: services.vectorAddress, SEXTANT_OBSERVABILITY_URL: services.observabilityAddress };
        const run = spawnSync(program(), ['collections', 'list'], { env: { ...environment, ...address }, encoding: 'utf8' });
        expect(run.stdout).toContain('cities');
      });

      // The first is read in a process of its own, the second on a thread as well.
      test.each([
        ['orders.csv', Buffer.from('id,price\n1,10\n2,20\n3,30\n')],
        ['orders.arrow', tableToIPC(tableFromArrays({ id: Int32Array.of(1, 2, 3), price: Float64Array.of(10, 20, 30) }), 'file')],
      ])('a scan measures %s', async (file, bytes) => {
        using client = jsonClient({ baseUrl: services.observabilityAddress });
        const api = await adminApi({ client });
        const { found } = await scanned(api, (await uploadAsset(api, { file, bytes })).id);
        expect(found.value('RECORD_COUNT')).toBe(3);
      });

      test('an object store asks for its packages', async () => {
        using client = jsonClient({ baseUrl: services.observabilityAddress });
        const api = await adminApi({ client });
        const credential = { type: 'AWS', payload: { access_key: 'a', secret_key: 'b' } } as const;
        const store = { name: 'store', type: 'S3', payload: { bucket: 'files' }, credential } as const;
        await expect(api.call('create_connection', {}, { body: store })).rejects.toThrow('npm install @aws-sdk/client-s3');
      });

      test.each(['vector', 'observability'] as const)('the %s service serves the console', async (name) => {
        const address = name === 'vector' ? services.vectorAddress : services.observabilityAddress;
        const page = await fetch(`${address}/console`);
        expect(page.status).toBe(200);
        const script = /src="(\/console\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1];
        expect((await fetch(`${address}${script}`)).status).toBe(200);
      });

      test('gRPC answers', async () => {
        const client = new QdrantClient({ url: services.grpcAddress, https: false });
        const { collections } = await client.api('collections').list({});
        expect(collections.map(({ name }) => name)).toEqual(['cities']);
      });

      test('SIGTERM ends both services in order', async () => {
        services.launcher.kill('SIGTERM');
        await services.servicesEnded();
      });
    });
  });

  test('@sextant/cli runs without any other package, and says where the services are', () => {
    const folder = at('command-line');
    mkdirSync(folder);
    // It has no dependencies, so that npm would do nothing else.
    expect(spawnSync('tar', ['-xzf', tarballOf('cli'), '-C', folder]).status).toBe(0);
    console.log(`@sextant/cli: ${(bytesOf(filesBelow(folder)) / 1e6).toFixed(1)} MB`);
    const { status, stderr } = spawnSync(process.execPath, [join(folder, 'package/bin/sextant.mjs'), 'serve'], {
      env: machineEnvironment,
      encoding: 'utf8',
    });
    expect(stderr).toContain('npx @sextant/sextant serve');
    expect(status).toBe(2);
  });
});

/** `launch` starts from the environment of this process: what is not in that of the machine is taken away. */
function cleared(environment: NodeJS.ProcessEnv): { readonly [name: string]: undefined } {
  return Object.fromEntries(
    Object.keys(environment)
      .filter((name) => !(name in machineEnvironment))
      .map((name) => [name, undefined]),
  );
}

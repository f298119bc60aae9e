// SPDX-License-Identifier: Apache-2.0
/**
 * The images without a builder of images: the steps of the Dockerfile run on this machine, and its commands run in the root file system that they make,
 * which is read-only, as the unprivileged user. That takes root and Linux; what npm installs comes from its registry.
 */
import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  hasOnnx,
  jsonClient,
  MINILM_FOLDER,
  ONNX_PACKAGES,
  type TemporaryDirectory,
  temporaryDirectory,
} from '@sextant/foundation-testing';
import { VectorClient } from '@sextant/sdk';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Launched, launch, ROOT } from '../lifecycle/launched-services.ts';
import { ADMIN, adminApi } from '../observability/observability-server.ts';
import { scanned, uploadAsset } from '../observability/scanning.ts';
import { bytesOf, filesBelow, installedPackage } from '../packages/installed-packages.ts';
import { machineEnvironment, reachesRegistry } from '../packages/machine.ts';
import { packedPackages } from '../packages/packed-packages.ts';
import { commandOf, environmentOf, type Instruction, instructionsOf, stagesOf, textsOf } from './dockerfile.ts';

const USER = 10001;
const BYTES_MAX = 200e6;
const COMPRESSED_BYTES_MAX = 100e6;
const BUILD_MS = 900_000;
const BLOCK_BYTES = 256 * 1024;
const SAMPLED_EVERY = 12;

/** Where they are on this machine, by their names below `/tmp`. */
type Folders = { readonly [name: string]: string };

const stages = stagesOf(readFileSync(join(ROOT, 'deploy/image/Dockerfile'), 'utf8'));
const isPossible = process.platform === 'linux' && process.getuid?.() === 0 && canMount() && reachesRegistry();

describe.skipIf(!isPossible)('the images', () => {
  let directory: TemporaryDirectory;
  let root: string;
  const at = (...names: readonly string[]) => join(directory.path, ...names);

  beforeAll(async () => {
    directory = await temporaryDirectory();
    root = at('root-file-system');
    const [packages, installed] = [packedPackages(), installedPackage()];
    const steps = textsOf(instructionsOf(stages, 'build'), 'RUN');
    expect(steps.length).toBeGreaterThan(1);
    for (const step of steps) {
      // The same commands have built and installed them, for other tests too.
      const built = step
        .replace('node tools/package/main.ts /packages', `cp -r ${packages} /packages`)
        .replace('npm install --prefix /app --omit=dev --no-audit --no-fund /packages/sextant-sextant-*.tgz', `cp -a ${installed} /app`);
      const here = built.replaceAll(/(?<=[ "])\/(?=(packages|app|root-file-system|empty)\b)/g, `${directory.path}/`);
      const path = here.includes('command -v node')
        ? `${join(ROOT, 'node_modules/.bin')}:${machineEnvironment.PATH}`
        : machineEnvironment.PATH;
      const { status, stdout, stderr } = spawnSync('sh', ['-ec', here], {
        cwd: ROOT,
        env: { ...machineEnvironment, PATH: path },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${here}\n${stdout}${stderr}`);
    }
  }, BUILD_MS);

  afterAll(() => directory[Symbol.asyncDispose]());

  test('are small', () => {
    const files = filesBelow(root);
    const bytes = bytesOf(files);
    // File by file, which is more than a layer takes.
    const compressed = files.reduce((sum, file) => sum + compressedBytes(readFileSync(file)), 0);
    console.log(`root file system: ${(bytes / 1e6).toFixed(1)} MB, ${(compressed / 1e6).toFixed(1)} MB compressed`);
    expect(bytes).toBeLessThan(BYTES_MAX);
    expect(compressed).toBeLessThan(COMPRESSED_BYTES_MAX);
  });

  test('hold no shell and no package manager', () => {
    const programs = /^(sh|bash|dash|busybox|apt|apt-get|npm|npx|yarn)$/;
    expect(filesBelow(root).filter((file) => programs.test(basename(file)))).toEqual([]);
  });

  test('run as a user without rights', () => {
    expect(textsOf(instructionsOf(stages, 'runtime'), 'USER')).toEqual([`${USER}:${USER}`]);
  });

  /** As the image is run: with `--read-only`, `/data` as a volume, and other folders of this machine below `/tmp`. */
  function inImage(data: string, command: readonly string[], folders: Folders = {}): readonly string[] {
    const mounts = [
      'mount --bind "$0" "$0"',
      'mount -o remount,ro,bind "$0"',
      `mount --bind ${data} "$0/data"`,
      'mount --rbind /dev "$0/dev"',
      'mount -t proc proc "$0/proc"',
      'mount -t tmpfs -o mode=1777 tmpfs "$0/tmp"',
      ...Object.entries(folders).map(([name, folder]) => `mkdir "$0/tmp/${name}" && mount --bind ${folder} "$0/tmp/${name}"`),
      `exec chroot --userspec=${USER}:${USER} "$0" "$@"`,
    ];
    return ['unshare', '--mount', 'sh', '-ec', mounts.join('; '), root, ...command];
  }

  async function started(image: string, settings: { readonly [name: string]: string }, folders?: Folders): Promise<Launched> {
    const instructions = instructionsOf(stages, image);
    const data = at(`data-of-${image}`);
    rmSync(data, { recursive: true, force: true });
    mkdirSync(data, { mode: 0o700 });
    chownSync(data, USER, USER);
    return launch({
      command: inImage(data, [...commandOf(instructions, 'ENTRYPOINT'), ...commandOf(instructions, 'CMD')], folders),
      directory: at('unused'),
      services: 1,
      environment: { ...environmentOf(instructions), ...settings, NODE_OPTIONS: undefined },
    });
  }

  /** What the health check of an image says of the service that listens on a port. */
  function healthOf(instructions: readonly Instruction[], port: string): number | null {
    const command = commandOf(instructions, 'HEALTHCHECK').map((word) => word.replaceAll(/:\d{4}(?=\/)/g, `:${port}`));
    const [program = '', ...args] = inImage(at(), command);
    return spawnSync(program, args, { encoding: 'utf8' }).status;
  }

  describe('the vector service in its image', () => {
    let service: Launched;
    let port: string;

    beforeAll(async () => {
      const withModel = { NODE_PATH: '/tmp/onnx', SERVICE_EMBEDDING_ONNX_FOLDERS: 'minilm=/tmp/model' };
      service = await started(
        'vector',
        { SERVICE_REST_PORT: '0', SERVICE_GRPC_PORT: '0', ...(hasOnnx && withModel) },
        hasOnnx ? { onnx: ONNX_PACKAGES, model: MINILM_FOLDER } : {},
      );
      ({ port } = new URL(service.vectorAddress));
    });
    afterAll(() => service?.[Symbol.asyncDispose]());

    test('asks for credentials, and serves its console', async () => {
      using client = jsonClient({ baseUrl: `http://127.0.0.1:${port}` });
      expect((await client.request('GET', '/livez')).status).toBe(200);
      expect((await client.request('GET', '/collections')).status).toBe(401);
      expect((await client.request('GET', '/console')).status).toBe(200);
    });

    test('runs as the user, and writes to its folder', () => {
      expect(readFileSync(`/proc/${service.servicePids[0]}/status`, 'utf8')).toMatch(new RegExp(`^Uid:\\s+${USER}\\s+${USER}`, 'm'));
      expect(readdirSync(at('data-of-vector'))).toEqual(['vector']);
    });

    test.skipIf(!hasOnnx)('embeds texts by a model in a folder', async () => {
      const client = new VectorClient({ url: `http://127.0.0.1:${port}` });
      const password = 'Correct-Horse-42';
      await client.createAdmin(password);
      await client.login(password);
      await client.ready();
      await client.createCollection('notes', { vectors: { size: 384, distance: 'Cosine' } });
      const text = (words: string) => ({ text: words, model: 'minilm' });
      const notes = client.collection('notes');
      await notes.upsert(['The luggage arrived a day late', 'She paints with oil'].map((words, id) => ({ id, vector: text(words) })));
      expect(await notes.query({ query: text('lost suitcase'), limit: 1 })).toMatchObject([{ id: 0 }]);
    });

    test('is healthy until it ends', async () => {
      const instructions = instructionsOf(stages, 'vector');
      expect(healthOf(instructions, port)).toBe(0);
      service.launcher.kill('SIGTERM');
      await service.servicesEnded();
      expect(healthOf(instructions, port)).toBe(1);
    });
  });

  test('the observability service scans in its image', async () => {
    await using service = await started('observability', { OBSERVABILITY_PORT: '0', OBSERVABILITY_ADMIN_PASSWORD: ADMIN.password });
    const { port } = new URL(service.observabilityAddress);
    using client = jsonClient({ baseUrl: `http://127.0.0.1:${port}` });
    const api = await adminApi({ client });
    const { found } = await scanned(api, (await uploadAsset(api, { file: 'orders.csv', bytes: Buffer.from('id\n1\n2\n') })).id);
    expect(found.value('RECORD_COUNT')).toBe(2);
    expect(healthOf(instructionsOf(stages, 'observability'), port)).toBe(0);
    expect(readdirSync(at('data-of-observability'))).toEqual(['observability']);
  });
});

/** Of a large file one block in twelve is compressed, for all. */
function compressedBytes(content: Buffer): number {
  const bytesOfGzip = (bytes: Buffer) => gzipSync(bytes, { level: 1 }).length;
  if (content.length <= SAMPLED_EVERY * BLOCK_BYTES) return bytesOfGzip(content);
  const starts = Array.from(
    { length: Math.ceil(content.length / (SAMPLED_EVERY * BLOCK_BYTES)) },
    (_, at) => at * SAMPLED_EVERY * BLOCK_BYTES,
  );
  const blocks = starts.map((start) => content.subarray(start, start + BLOCK_BYTES));
  const share = blocks.reduce((sum, block) => sum + bytesOfGzip(block), 0) / blocks.reduce((sum, { length }) => sum + length, 0);
  return share * content.length;
}

function canMount(): boolean {
  return spawnSync('unshare', ['--mount', 'sh', '-ec', 'mount -t tmpfs tmpfs /mnt']).status === 0;
}

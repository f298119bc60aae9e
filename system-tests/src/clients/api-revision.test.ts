// SPDX-License-Identifier: Apache-2.0
/** The revision of the API that the service reports to its clients, compared with every client that the tests run. */
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { sharedVectorServer } from '../shared-server.ts';

/** Where versions of published clients are written down: a manifest of each language, and how it names the client. */
const MANIFESTS: readonly { readonly file: string; readonly client: RegExp }[] = [
  { file: '../../package.json', client: /"@qdrant\/js-client-\w+": "(?<version>[\d.]+)"|npm:@qdrant\/js-client-rest@(?<other>[\d.]+)/g },
  { file: 'python/requirements.txt', client: /^qdrant-client==(?<version>[\d.]+)/gm },
  { file: 'go/go.mod', client: /github\.com\/qdrant\/go-client v(?<version>[\d.]+)/g },
  { file: 'java/pom.xml', client: /<groupId>io\.qdrant<\/groupId>\s*<artifactId>client<\/artifactId>\s*<version>(?<version>[\d.]+)/g },
  { file: 'rust/Cargo.toml', client: /^qdrant-client\s*=\s*(?:\{.*?version\s*=\s*)?"=?(?<version>[\d.]+)"/gm },
];

type Client = { readonly file: string; readonly version: string; readonly major: number; readonly minor: number };

function clients(): readonly Client[] {
  return MANIFESTS.flatMap(({ file, client }) => {
    const url = new URL(file, import.meta.url);
    if (!existsSync(url)) return [];
    const found = [...readFileSync(url, 'utf8').matchAll(client)].map(({ groups }) => groups?.version ?? groups?.other ?? '');
    if (found.length === 0) throw new Error(`${file} names no client`);
    return found.map((version) => ({ file, version, ...partsOf(version) }));
  });
}

function partsOf(version: string) {
  const [major = Number.NaN, minor = Number.NaN] = version.split('.').map(Number);
  return { major, minor };
}

/** The rule by which published clients warn. */
function isQuiet(client: { readonly major: number; readonly minor: number }, server: { readonly major: number; readonly minor: number }) {
  return client.major === server.major && Math.abs(client.minor - server.minor) <= 1;
}

/** A revision is within one of two minor versions where these are at most so far apart: older clients warn, whatever the service reports. */
const APART_MAX = 2;

test('the revision that the service reports is one at which no client warns that can do without', async () => {
  const server = await sharedVectorServer();
  const reported = ((await (await fetch(server.address)).json()) as { readonly version: string }).version;
  const found = clients();
  expect(found.length).toBeGreaterThanOrEqual(3);
  const newest = Math.max(...found.map(({ minor }) => minor));
  const recent = found.filter(({ minor }) => newest - minor <= APART_MAX);
  expect(recent.filter((client) => !isQuiet(client, partsOf(reported)))).toEqual([]);
  expect(partsOf(reported).minor).toBeGreaterThanOrEqual(newest - 1);
});

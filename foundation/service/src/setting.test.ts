// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { hosts, origins, url } from './setting.ts';

const setting = url({ name: 'SERVICE_URL', meaning: 'Address', fallback: 'http://{host}:80' });

test.each(['http://{host}:6580', 'https://data.example', 'http://127.0.0.1:1/'])('%s is an address for browsers', (text) => {
  expect(setting.parse(text)).toBe(text);
});

test.each(['data.example:80', 'ftp://data.example', 'http://data.example/console', 'http://', ''])('%j is none', (text) => {
  expect(setting.parse(text)).toBeUndefined();
});

const pages = origins({ name: 'SERVICE_ALLOWED_ORIGINS', meaning: 'Pages' });
const names = hosts({ name: 'SERVICE_ALLOWED_HOSTS', meaning: 'Names' });

test.each([
  ['https://app.example.com', ['https://app.example.com']],
  ['https://app.example.com/, http://localhost:5173', ['https://app.example.com', 'http://localhost:5173']],
  ['HTTPS://App.example.com', ['https://app.example.com']],
  ['chrome-extension://abcdef', ['chrome-extension://abcdef']],
  ['http://[::1]:3000', ['http://[::1]:3000']],
  ['*', ['*']],
])('%j are origins', (text, found) => {
  expect(pages.parse(text)).toEqual(found);
});

test.each([
  'app.example.com',
  'https://a.example/console',
  'https://a.example,*',
  'https://*.example',
  'null',
  'https://a.example,',
  'https://a:b@c.example',
])('%j are none', (text) => {
  expect(pages.parse(text)).toBeUndefined();
});

test.each([
  ['db.example.com', ['db.example.com']],
  ['DB.example.com, 10.0.0.7', ['db.example.com', '10.0.0.7']],
  ['[::1], fe80::1', ['::1', 'fe80::1']],
  ['*', ['*']],
])('%j are names of machines', (text, found) => {
  expect(names.parse(text)).toEqual(found);
});

test.each(['http://db.example.com', 'db.example.com:6573', 'a,*', 'a b', '[::1]:80', '*.example.com', ','])('%j are none', (text) => {
  expect(names.parse(text)).toBeUndefined();
});

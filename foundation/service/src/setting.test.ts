import { expect, test } from 'vitest';
import { url } from './setting.ts';

const setting = url({ name: 'SERVICE_URL', meaning: 'Address', fallback: 'http://{host}:80' });

test.each(['http://{host}:6580', 'https://data.example', 'http://127.0.0.1:1/'])('%s is an address for browsers', (text) => {
  expect(setting.parse(text)).toBe(text);
});

test.each(['data.example:80', 'ftp://data.example', 'http://data.example/console', 'http://', ''])('%j is none', (text) => {
  expect(setting.parse(text)).toBeUndefined();
});

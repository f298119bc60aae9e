// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { loadFailure, readFailure, statementFailure } from './failure-sentence.ts';

const CONVERSION = `Conversion Error: Could not convert string 'Ann' to INT32\n\nLINE 1: SELECT CAST(name AS INTEGER) FROM '/tmp/scan-1/file-0'`;

test('what is said of a statement names the value at fault, and neither the statement nor a directory', () => {
  expect(statementFailure(CONVERSION)).toBe("Conversion Error: Could not convert string 'Ann' to INT32");
  expect(statementFailure('IO Error: cannot open /tmp/scan-1/file-0')).toBe('IO Error: cannot open file-0');
});

test('what is said of files names none of their values', () => {
  expect(loadFailure(CONVERSION)).toBe('Conversion Error: Could not convert string a value to INT32');
  expect(loadFailure('Invalid Input Error: Malformed JSON in "file-0": {"name": "Ann"}')).toContain('The file is not valid JSON');
});

test('a limit is no fault of the file', () => {
  expect(loadFailure('Out of Memory Error: failed to allocate for read_csv')).toMatch(/^Out of Memory/);
});

test.each([
  ['Invalid Input Error: Failed to read file "file-0": Snappy decompression failure', 'The Parquet file is damaged or truncated'],
  ["Invalid Error: don't know what type: ", 'The Parquet file is damaged or truncated'],
  ['Out of Memory Error: failed to allocate data of size 1 GiB: Failed to read file "file-0"', /^Out of Memory/],
  [CONVERSION, "Conversion Error: Could not convert string 'Ann' to INT32"],
])('of Parquet that is read where it is, %s is: %s', (message, said) => {
  if (typeof said === 'string') expect(readFailure(message)).toBe(said);
  else expect(readFailure(message)).toMatch(said);
});

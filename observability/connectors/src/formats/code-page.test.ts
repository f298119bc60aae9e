// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { possiblePages } from './code-page.ts';

/** The bytes of a text in a page of one byte for each letter. */
function bytesIn(page: string, text: string): Buffer {
  const decoder = new TextDecoder(page);
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]));
  return Buffer.from(
    Array.from(text, (character) => {
      const byte = bytes.get(character);
      if (byte === undefined) throw new Error(`${page} has no ${character}`);
      return byte;
    }),
  );
}

function encodingsOf(page: string, text: string): readonly string[] {
  return possiblePages(bytesIn(page, text)).map(({ encoding }) => encoding);
}

// Names of people and places, none of which the costs were computed from.
describe('words of Windows-1252 are taken for nothing else', () => {
  test.each([
    ['French', 'Hélène Lefèvre, Benoît Desprès, Anaïs Châtelain, François Gérard'],
    ['German', 'Jürgen Weiß, Käthe Böhm, Ägidius Straußmann'],
    ['Spanish', 'Íñigo Muñoz, Begoña Núñez Ibáñez, ¿Quién es Ramón?'],
    ['Portuguese', 'João Gonçalves, Conceição Magalhães, Inês Simões'],
    ['Italian', 'Nicolò Foà, Mondovì, Forlì, Cefalù, perché'],
    ['Danish', 'Søren Kjærgaard, Åse Nørgaard, Ærøskøbing'],
    ['Swedish', 'Göran Sjöström, Åsa Bäckström'],
    ['Icelandic', 'Guðrún Þórðardóttir, Sæmundur Bæringsson'],
    ['Estonian', 'Jõgeva, Pärnu, Õie Šmidt'],
    ['Dutch', 'Daniël Coëlho, Zoë van België'],
    ['names of many countries', 'Müller, Brûlé, Sørensen, García, Gonçalves, Håkansson, Žižka, Þór'],
    ['capitals', 'HÉLÈNE LEFÈVRE, MUÑOZ, BÖHM, SØREN'],
    ['signs', '“Größe”: 5 m³, 80 m², £5, 3 °C, ±2 µm, ½ – Mª José, nº 5, «Ça va, François», © 2020'],
    ['nothing', 'plain'],
  ])('%s', (_, text) => {
    expect(encodingsOf('windows-1252', text)).toEqual(['WINDOWS-1252']);
  });
});

describe('words of other pages are distinguished from those of Windows-1252', () => {
  test.each([
    ['windows-1250', 'Dvořáček, Růžičková, Plzeň'],
    ['windows-1250', 'Kováčová, Žilina, Ľubica Šoltésová'],
    ['windows-1250', 'Wiśniewska, Łódź, Gdańsk'],
    ['windows-1250', 'Győrffy, Szűcs Erzsébet'],
    ['windows-1250', 'Šarčević, Đorđe, Kovačić'],
    ['windows-1250', 'Bălănescu, Ionuţ, Bucureşti'],
    ['iso-8859-2', 'Šuštaršič, Novo mesto, Žužemberk'],
    ['iso-8859-2', 'Wójcik, Częstochowa, Świętokrzyskie'],
    ['windows-1254', 'Şahin, Yıldız, Uğur Çağlayan'],
    ['windows-1257', 'Šiauliai, Žemaitė, Jurgis Ąžuolas'],
    ['windows-1257', 'Bērziņš, Kalniņa, Rēzekne'],
    ['windows-1250', 'DVOŘÁČEK, RŮŽIČKOVÁ'],
  ])('%s: %s', (page, text) => {
    expect(encodingsOf(page, text)[0]).not.toBe('WINDOWS-1252');
  });

  test('or named beside it where a few words decide nothing, with the letters that tell both apart', () => {
    const [western, ...others] = possiblePages(bytesIn('windows-1250', 'hűség, őszi'));
    expect(western).toEqual({ encoding: 'WINDOWS-1252', letters: 'û é õ' });
    expect(others).toContainEqual({ encoding: 'WINDOWS-1250', letters: 'ű é ő' });
  });

  test('a page that has nothing at one of the bytes is none of them', () => {
    expect(encodingsOf('windows-1252', 'François – Šimek, Œuvre')).not.toContain('ISO-8859-2');
  });

  test('but not where both read the same', () => {
    expect(encodingsOf('windows-1250', 'Zoltán, Gábor, Éva, Ödön')).toEqual(['WINDOWS-1252']);
  });
});

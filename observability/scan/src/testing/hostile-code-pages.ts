// SPDX-License-Identifier: Apache-2.0
/** Texts in encodings of one byte for each letter, which look alike. */
import { type HostileFile, two } from './hostile-file.ts';

export const CODE_PAGES: readonly HostileFile[] = [
  // Read as Latin-1, the bytes of each are what its own code page gave its letters.
  ...[
    ['Turkish in Windows-1254', 'þeker aðacý', 'ölçü'],
    ['Hungarian in Windows-1250', 'Gyõrffy', 'Szûcs Erzsébet'],
    ['Czech in Windows-1250', 'pøíliš', 'mìsto prùvodèí'],
    ['Croatian in Windows-1250', 'kuæa še\x9ati', 'èa\x9aa \x9eena'],
    ['Lithuanian in Windows-1257', 'ðiaurë', 'þmogus'],
    ['Latvian in Windows-1257', 'Bçrziòð', 'Kalniòa'],
    ['Polish in Windows-1250', 'Gda\xf1sk', 'Wi\x9cniewska'],
    ['Romanian in Windows-1250', 'Ionu\xfe B\xe3l\xe3nescu', 'Bucure\xbati'],
    ['Slovenian in ISO-8859-2', 'Kova\xe8', '\xa9u\xb9tar\xb9i\xe8'],
    ['Slovak in ISO-8859-2', 'Kova\xe8ovi\xe8', 'D\xfabravsk\xe1 \xb5ubica'],
    ['Hungarian in ISO-8859-2', 'Gyõrffy', 'Erzsébet Szûcs'],
    ['two words of Hungarian in Windows-1250', 'hûség', 'õszi'],
    ['one word of Czech in Windows-1250', 'Brno', 'Dvoø\xe1k'],
    ['Windows-1252 of two words that could be another page', 'Catal\xe0', '\xc0ngel'],
  ].map(([kind = '', first, second]) => ({
    kind,
    content: Buffer.from(`id,name\n1,${first}\n2,${second}\n`, 'latin1'),
    expected: { refused: /the encoding of the file is ambiguous: it could be .*; set options\.reading\.encoding/ },
  })),
  ...[
    ['Icelandic', 'Guðrún Þórðardóttir þing maður', 'Sæmundur Bæringsson æði ör ást'],
    ['Danish beside French', 'smørrebrød på', 'crème brûlée où'],
    ['Portuguese', 'ações não', 'três avô até pinguim'],
    ['Spanish beside German', 'niño así', 'Übergröße'],
    ['French', 'Noël où ça', 'fête crêpe naïf'],
    ['Estonian', 'õhtu öö', 'üks ämm'],
    ['Italian', 'perché è così', 'città più caffè'],
    ['Catalan', 'què és això Núria Solé', 'informació de Lleó Lluís Muñoz i François'],
    ['units and prices', 'Größe 5 m³ und 80 m²', '£5 · 3 °C · ±2 µm'],
    ['Spanish questions and ordinals', '¿Qué? ¡Sí!', 'Mª José 1º B nº 5'],
    ['names of many countries', 'Müller Brûlé Sørensen Göran Weiß', 'García Novotný Crèvecoeur Gonçalves João'],
  ].map(([kind, first = '', second = '']) => ({
    kind: `${kind} in Windows-1252`,
    content: Buffer.from(`id,name\n1,${first}\n2,${second}\n`, 'latin1'),
    expected: two(first, second),
  })),
  // Pairs of bytes, which Chinese in GBK has as well.
  ...[
    ['Korean in EUC-KR', 'c7d1b1b9beee20bdc3c7e8', 'bcadbfefc6afbab0bdc320b0adb3b2b1b8'],
    ['Japanese in EUC-JP', 'c5ecb5fec5d4bdc2c3abb6e8', 'c2e7bae5c9dcc2e7bae5bbd4cbccb6e8c7dfc5c4'],
    ['two words of Chinese in GBK', 'd6d0b9fac8cbc3f1', 'c9cfbaa3cad0'],
    ['Greek capitals in Windows-1253', 'c1c8c7cdc1', 'c8c5d3d3c1cbcfcdc9cac7'],
    ['Russian in KOI8-R', 'd0d2c9d7c5d4', 'cdcfd3cbd7c1'],
  ].map(([kind = '', first = '', second = '']) => ({
    kind,
    content: Buffer.concat([
      Buffer.from('id,name\n1,'),
      Buffer.from(first, 'hex'),
      Buffer.from('\n2,'),
      Buffer.from(second, 'hex'),
      Buffer.from('\n'),
    ]),
    expected: { refused: /the encoding of the file is ambiguous/ },
  })),
  {
    kind: 'Turkish in Windows-1254 that is said',
    content: Buffer.from('id,name\n1,þeker\n2,aðaç\n', 'latin1'),
    reading: { encoding: 'WINDOWS-1254' },
    expected: two('şeker', 'ağaç'),
  },
];

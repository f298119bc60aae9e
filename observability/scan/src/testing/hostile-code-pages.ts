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
  ].map(([kind = '', first, second]) => ({
    kind,
    content: Buffer.from(`id,name\n1,${first}\n2,${second}\n`, 'latin1'),
    expected: {
      refused: /the encoding of the file cannot be told.*set options\.reading\.encoding/,
    },
  })),
  ...[
    ['Icelandic', 'þing maður', 'æði ör ást'],
    ['Danish beside French', 'smørrebrød på', 'crème brûlée où'],
    ['Portuguese', 'ações não', 'três avô até pinguim'],
    ['Spanish beside German', 'niño así', 'Übergröße'],
    ['French', 'Noël où ça', 'fête crêpe naïf'],
    ['Estonian', 'õhtu öö', 'üks ämm'],
    ['Italian', 'perché è così', 'città più caffè'],
    ['Catalan', 'què és això', 'Núria Solé'],
    ['units and prices', 'Größe 5 m³ und 80 m²', '£5 · 3 °C · ±2 µm'],
    ['Spanish questions and ordinals', '¿Qué? ¡Sí!', 'Mª José 1º B nº 5'],
    ['names of many countries', 'Müller Brûlé Sørensen', 'García Novotný Crèvecoeur'],
  ].map(([kind, first = '', second = '']) => ({
    kind: `${kind} in Windows-1252`,
    content: Buffer.from(`id,name\n1,${first}\n2,${second}\n`, 'latin1'),
    expected: two(first, second),
  })),
  {
    kind: 'Turkish in Windows-1254 that is said',
    content: Buffer.from('id,name\n1,þeker\n2,aðaç\n', 'latin1'),
    reading: { encoding: 'WINDOWS-1254' },
    expected: two('şeker', 'ağaç'),
  },
];

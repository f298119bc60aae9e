/** Texts in encodings of one byte for each letter, which look alike. */
import { type HostileFile, two } from './hostile-file.ts';

export const CODE_PAGES: readonly HostileFile[] = [
  // Read as Latin-1, the bytes of each are what its own code page gave its letters.
  ...[
    ['Turkish in Windows-1254', 'þeker aðacý', 'ölçü'],
    ['Hungarian in Windows-1250', 'hûség õszi', 'ünnep ár'],
    ['Czech in Windows-1250', 'pøíliš', 'mìsto prùvodèí'],
    ['Croatian in Windows-1250', 'kuæa še\x9ati', 'èa\x9aa \x9eena'],
    ['Lithuanian in Windows-1257', 'ðiaurë', 'þmogus'],
  ].map(([kind = '', first, second]) => ({
    kind,
    content: Buffer.from(`id,name\n1,${first}\n2,${second}\n`, 'latin1'),
    expected: { refused: /letters that no one language has; set options\.reading\.encoding/ },
  })),
  ...[
    ['Icelandic', 'þing maður', 'æði ör ást'],
    ['Danish beside French', 'smørrebrød på', 'crème brûlée où'],
    ['Portuguese', 'ações não', 'três avô até pinguim'],
    ['Spanish beside German', 'niño así', 'Übergröße'],
    ['French', 'Noël où ça', 'fête crêpe naïf'],
    ['Estonian', 'õhtu öö', 'üks ämm'],
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

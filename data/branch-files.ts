/** A branch as the data names it; empty where it does not. */
export interface NamedBranch {
  readonly branch: string;
  readonly place: string;
}

/** What the files are made of. */
export interface IfscData {
  /** By the first four letters of its codes. */
  readonly bankNames: Readonly<Record<string, string>>;
  /** By bank: what follows the zero, numbers without their leading zeros. */
  readonly codes: Readonly<Record<string, readonly (string | number)[]>>;
  /** Codes, or beginnings of codes, that belong to another bank: its letters, or its name. */
  readonly sublets: Readonly<Record<string, string>>;
  /** By code; empty where only the codes are known. */
  readonly named: ReadonlyMap<string, NamedBranch>;
}

/** What the files were made of, and when. */
export interface Source {
  /** Of the package. */
  readonly version: string;
  /** The day. */
  readonly taken: string;
  /** The name of the file with the branches' names, where there was one. */
  readonly csv: string | undefined;
}

const CODE_CHARACTERS = 6;
const LETTERS = /^[A-Z]{4}$/;

/**
 * A file for each bank, by its first four letters: the bank's name, then a line for each branch, in
 * order: the last six characters of its code, and what is known of branch, place and another bank
 * that the code belongs to, parted by tabs.
 */
export function branchFiles(data: IfscData): Map<string, string> {
  const banks = Object.keys(data.codes).filter((bank) => LETTERS.test(bank));
  return new Map(banks.toSorted().map((bank) => [bank, fileOf(bank, data)]));
}

function fileOf(bank: string, { bankNames, codes, sublets, named }: IfscData): string {
  const ends = codes[bank].map((code) => String(code).padStart(CODE_CHARACTERS, '0'));
  const right = ends.filter((end) => /^[A-Z0-9]{6}$/.test(end)).toSorted();
  const lines = [...new Set(right)].map((end) => {
    const ifsc = `${bank}0${end}`;
    const { branch = '', place = '' } = named.get(ifsc) ?? {};
    const owner = sublets[ifsc] ?? ownerByBeginning(ifsc, sublets);
    const cells = [end, branch, place, owner ? nameOf(owner, bankNames) : ''].map(cell);
    return cells.join('\t').trimEnd();
  });
  return `${[cell(bankNames[bank] ?? bank), ...lines].join('\n')}\n`;
}

/** Not every owner has letters of its own: then the data has the name in their place. */
function nameOf(owner: string, bankNames: IfscData['bankNames']): string {
  return bankNames[owner] ?? (LETTERS.test(owner) ? '' : owner);
}

function ownerByBeginning(ifsc: string, sublets: IfscData['sublets']): string | undefined {
  for (let length = ifsc.length - 1; length > 4; length -= 1) {
    const owner = sublets[ifsc.slice(0, length)];
    if (owner) return owner;
  }
  return undefined;
}

/** The note beside the files: where they are from, and what may be done with them. */
export function sourceNote({ version, taken, csv }: Source): string {
  const names =
    csv === undefined
      ? 'Names of branches and places: none. The package does not have them.'
      : `Names of branches and places: from ${csv}, a file of a release of the same project.`;
  return `# Where these files are from

Banks and codes: npm package \`ifsc\` ${version} (Razorpay, <https://github.com/razorpay/ifsc>), made from the lists of the Reserve Bank of India.
${names}
Taken on ${taken}. Licence: MIT, in the file \`LICENSE\`.

Made by \`npm run ifsc\`: do not edit the files; run it again.
`;
}

/** The branches of `IFSC.csv`, a file of the data set's releases. @throws Error when a column is missing */
export function namedBranches(csv: string): Map<string, NamedBranch> {
  const [head = [], ...rows] = rowsOf(csv);
  const column = (name: string) => {
    const place = head.indexOf(name);
    if (place < 0) throw new Error(`the file has no column ${name}`);
    return place;
  };
  const ifsc = column('IFSC');
  const branch = column('BRANCH');
  const places = ['CITY', 'CENTRE', 'DISTRICT', 'STATE'].map(column);
  return new Map(
    rows.map((row) => [
      row[ifsc] ?? '',
      {
        branch: known(row[branch]),
        place: places.map((place) => known(row[place])).find((text) => text !== '') ?? '',
      },
    ]),
  );
}

function known(text = ''): string {
  return text.trim() === 'NA' ? '' : cell(text);
}

/** One line of plain text, of a length that a page can show. */
function cell(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 120);
}

/** Rows of comma-separated values (RFC 4180). */
function rowsOf(csv: string): string[][] {
  const rows: string[][] = [[]];
  const cells = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gy;
  for (const [all, quoted, bare = '', end] of csv.replace(/^\uFEFF/, '').matchAll(cells)) {
    if (all === '' && rows.at(-1)!.length === 0) break;
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '') break;
    if (end !== ',') rows.push([]);
  }
  return rows.filter((row) => row.length > 1);
}

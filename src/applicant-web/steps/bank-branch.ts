import { readdir, readFile } from 'node:fs/promises';
import { projectPath } from '../../platform/index.js';

/** Four letters of the bank, a zero, six characters of the branch. */
export const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;
const LETTERS = 4;
const FOLDER = 'data/ifsc';

/** The data may be older than the code. */
export interface BankBranch {
  readonly ifsc: string;
  readonly bank: string;
  readonly isKnown: boolean;
  /** Both empty when the data has only banks and codes. */
  readonly branch: string;
  readonly place: string;
}

/**
 * Reads only the bank's file in data/ifsc (docs/operators/configuration.md), so that nothing stays in memory.
 * @throws RangeError for a malformed IFSC: it names a file
 */
export async function bankBranch(ifsc: string): Promise<BankBranch> {
  if (!IFSC.test(ifsc)) throw new RangeError('not an IFSC');
  const text = await fileOf(ifsc.slice(0, LETTERS));
  const [bank = '', ...lines] = text.split('\n');
  const code = ifsc.slice(LETTERS + 1);
  const line = lines.find((each) => each.startsWith(code));
  const [, branch = '', place = '', owner = ''] = line?.split('\t') ?? [];
  return { ifsc, bank: owner || bank, isKnown: line !== undefined, branch, place };
}

/**
 * Without the files every code would look unknown.
 * @throws Error when data/ifsc has no file of a bank
 */
export async function requireBankFiles(folder = projectPath(FOLDER)): Promise<void> {
  const names = await readdir(folder).catch((): string[] => []);
  if (names.some((name) => /^[A-Z]{4}\.txt$/.test(name))) return;
  throw new Error(`no bank is in ${FOLDER}: copy the folder with the release, or run npm run ifsc`);
}

async function fileOf(bank: string): Promise<string> {
  try {
    return await readFile(projectPath(`${FOLDER}/${bank}.txt`), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}

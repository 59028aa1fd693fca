import { readdir, readFile } from 'node:fs/promises';
import { projectPath } from '../../platform/index.js';

/** Four letters of the bank, a zero, six letters or digits of the branch. */
export const IFSC = /^[A-Z]{4}0[A-Z0-9]{6}$/;
const LETTERS = 4;
const FOLDER = 'data/ifsc';

/** What is known of an IFSC; the data may be older than the code. */
export interface BankBranch {
  readonly ifsc: string;
  /** Empty when not even the bank is known. */
  readonly bank: string;
  /** Whether the data has the code. */
  readonly isKnown: boolean;
  /** Both empty where the data names only banks and codes. */
  readonly branch: string;
  readonly place: string;
}

/**
 * Looks an IFSC up in data/ifsc (docs/configuration.md), in the file of its bank alone, so that nothing
 * of it stays in memory.
 * @param ifsc of the right shape: it names a file
 * @throws RangeError otherwise
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
 * Without the files every code would look unknown: better no start than a warning to everybody.
 * @throws Error when the folder of the release has no file of a bank
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

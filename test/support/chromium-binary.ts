import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

const PACKAGE = '@sparticuz/chromium';
const run = promisify(execFile);

/** The Chromium of CHROME_PATH, or the one of the npm package. It is unpacked once per user and version, atomically. */
export async function chromiumBinary(): Promise<string> {
  const own = process.env.CHROME_PATH;
  if (own) return own;
  const folder = join(tmpdir(), `rinpath-chromium-${packageVersion()}-${userInfo().uid}`);
  if (!existsSync(folder)) await unpackInto(folder);
  // Any user may write to the temporary folder, but only our own file is run.
  if (statSync(folder).uid !== userInfo().uid) throw new Error(`${folder} belongs to another user`);
  return join(folder, 'chromium');
}

function packageVersion(): string {
  const file = new URL('../package.json', import.meta.resolve(PACKAGE));
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

/** The package unpacks file by file into TMPDIR, so a child process gets a new one. */
async function unpackInto(folder: string): Promise<void> {
  const draft = mkdtempSync(join(dirname(folder), `${basename(folder)}-`));
  try {
    const entry = JSON.stringify(import.meta.resolve(PACKAGE));
    const script = `import chromium from ${entry}; await chromium.executablePath();`;
    const options = { env: { ...process.env, TMPDIR: draft } };
    await run(process.execPath, ['--input-type=module', '--eval', script], options);
    mkdirSync(dirname(folder), { recursive: true });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another worker unpacked the same content first.
    if (!existsSync(folder)) throw error;
  }
}

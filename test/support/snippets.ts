import { execFile, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { projectPath } from '../../src/platform/index.js';

export interface Snippet {
  readonly language: string;
  readonly file: string;
  readonly command: string;
  readonly before: readonly string[];
  /** False if it must be on PATH. */
  readonly isEverywhere: boolean;
}

const PROGRAMS: readonly [end: string, Omit<Snippet, 'file'>][] = [
  ['.sh', { language: 'shell', command: 'sh', before: [], isEverywhere: true }],
  ['.mjs', { language: 'Node', command: process.execPath, before: [], isEverywhere: true }],
  ['.py', { language: 'Python', command: 'python3', before: ['-B'], isEverywhere: true }],
  ['.java', { language: 'Java', command: 'java', before: [], isEverywhere: false }],
  ['.go', { language: 'Go', command: 'go', before: ['run'], isEverywhere: false }],
  ['.php', { language: 'PHP', command: 'php', before: [], isEverywhere: false }],
];

/** The programs in a folder of docs/snippets, one per language. */
export function snippetsOf(folder: string): Snippet[] {
  const path = projectPath(`docs/snippets/${folder}`);
  const files = readdirSync(path);
  return PROGRAMS.map(([end, program]) => {
    const file = files.find((one) => extname(one) === end);
    if (file === undefined) throw new Error(`docs/snippets/${folder} has no ${program.language}`);
    return { ...program, file: `${path}/${file}` };
  });
}

export function isOnPath(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

export interface RunSnippet {
  readonly given: readonly string[];
  readonly environment: object;
  readonly input?: Buffer;
}

/** The output of a program, whatever its status. */
export function runSnippet(snippet: Snippet, run: RunSnippet): Promise<string> {
  const given = [...snippet.before, snippet.file, ...run.given];
  // For Java, which decodes its arguments by the locale.
  const env = { ...process.env, LC_ALL: 'C.UTF-8', ...run.environment };
  return new Promise((resolve) => {
    const child = execFile(snippet.command, given, { env }, (_, stdout, stderr) =>
      resolve(stdout.trim() || stderr),
    );
    child.stdin?.end(run.input);
  });
}
